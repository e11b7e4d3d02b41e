import Foundation
import NetworkIndicator

/// This type replaces `DateFormatter`, which traps on Linux if a combining mark follows a digit.
enum HTTPDate {
    /// Parses the three forms of RFC 9110, 5.6.7: `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` and
    /// `Sun Nov  6 08:49:37 1994`. As in curl, years of two digits range from 1970 to 2069.
    static func parse(_ text: String) -> Date? {
        var words = text.split { " -:".contains($0) }
        if words.count == 7 { words = [words[0], words[2], words[1], words[6]] + words[3...5] + ["GMT"] }
        guard words.count == 8, words[7] == "GMT", let month = months.firstIndex(of: words[2]) else { return nil }
        let numbers = [3, 1, 4, 5, 6].compactMap { UInt16(words[$0]).map(Int32.init) }
        guard numbers.count == 5 else { return nil }
        let year = words[3].utf8.count == 2 ? numbers[0] + (numbers[0] < 70 ? 2000 : 1900) : numbers[0]
        var parts = tm()
        (parts.tm_year, parts.tm_mon, parts.tm_mday) = (year - 1900, Int32(month), numbers[1])
        (parts.tm_hour, parts.tm_min, parts.tm_sec) = (numbers[2], numbers[3], numbers[4])
        return Date(timeIntervalSince1970: TimeInterval(timegm(&parts)))
    }

    private static let months = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(separator: " ")
}

/// Parses the wait that a `Retry-After` header requests (RFC 9110, 10.2.3).
enum RetryAfter {
    static func delay(_ value: String, at date: Date) -> Duration? {
        let value = value.trimmingCharacters(in: .whitespaces)
        if value.wholeMatch(of: /[0-9]+/) != nil { return UInt32(value).map { .seconds($0) } ?? .longest }
        return HTTPDate.parse(value).map { .seconds(max(0, $0.timeIntervalSince(date))) }
    }
}
