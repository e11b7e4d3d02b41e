import Foundation
import NetworkIndicator

/// Parses the wait that a `Retry-After` header requests (RFC 9110, 10.2.3).
enum RetryAfter {
    static func delay(_ value: String, at date: Date) -> Duration? {
        let value = value.trimmingCharacters(in: .whitespaces)
        if !value.isEmpty, value.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            // A number that overflows `Int64` requests a very long wait.
            return Duration.seconds(Int64(value) ?? .max / 2).clamped(to: .zero ... .longest)
        }
        return HTTPDate.parse(value).map {
            .seconds(min(max(0, $0.timeIntervalSince(date)), Duration.longest.timeInterval))
        }
    }
}
