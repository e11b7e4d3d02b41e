import Foundation
import NetworkIndicator

/// The wait that a `Retry-After` header requests (RFC 9110, 10.2.3).
enum RetryAfter {
    /// The form of dates that servers must send, such as `Sun, 06 Nov 1994 08:49:37 GMT`. `DateFormatter` on Linux
    /// would trap if a combining mark follows a digit.
    private static let date = Date.ParseStrategy(
        format: """
            \(weekday: .abbreviated), \(day: .twoDigits) \(month: .abbreviated) \(year: .padded(4)) \
            \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits):\(second: .twoDigits) \
            GMT
            """, locale: Locale(identifier: "en_US_POSIX"), timeZone: .gmt, isLenient: false)

    static func delay(_ value: String, at now: Date) -> Duration? {
        let value = value.trimmingCharacters(in: .whitespaces)
        if value.wholeMatch(of: /[0-9]+/) != nil { return UInt32(value).map { .seconds($0) } ?? .longest }
        return (try? Date(value, strategy: date)).map { .seconds(max(0, $0.timeIntervalSince(now))) }
    }
}
