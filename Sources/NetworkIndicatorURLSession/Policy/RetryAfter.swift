import Foundation
import NetworkIndicator

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What a `Retry-After` header asks for (RFC 9110, 10.2.3).
enum RetryAfter {
    /// The wait that a response asks for: zero where its date is past, `nil` where it asks for none that can be
    /// understood.
    static func delay(of response: HTTPURLResponse, at date: Date) -> Duration? {
        response.value(forHTTPHeaderField: "Retry-After").flatMap { delay($0, at: date) }
    }

    static func delay(_ value: String, at date: Date) -> Duration? {
        let value = value.trimmingCharacters(in: .whitespaces)
        if !value.isEmpty, value.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            // More digits than Int takes are still a number of seconds, and a very large one.
            return Duration.seconds(Int64(value) ?? .max / 2).clamped(to: .zero ... .longest)
        }
        // Dates are ASCII, and DateFormatter traps on Linux where a combining mark stands among digits.
        guard value.utf8.allSatisfy({ $0 < 0x80 }), let then = self.date(value) else { return nil }
        let seconds = min(max(0, then.timeIntervalSince(date)), Duration.longest.timeInterval)
        return .seconds(seconds)
    }

    /// The three forms of HTTP dates: those that are sent today, and two that must still be understood.
    private static func date(_ value: String) -> Date? {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        for format in ["EEE, dd MMM yyyy HH:mm:ss 'GMT'", "EEEE, dd-MMM-yy HH:mm:ss 'GMT'", "EEE MMM d HH:mm:ss yyyy"] {
            formatter.dateFormat = format
            if let date = formatter.date(from: value) { return date }
        }
        return nil
    }
}
