package import Foundation

/// The dates of HTTP headers (RFC 9110, 5.6.7), in the current form and in the two obsolete ones.
///
/// A `DateFormatter` takes a twelfth of the time that 2,000 small downloads take. On Linux it traps at a combining mark
/// among digits.
package enum HTTPDate {
    /// Parses `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` or `Sun Nov  6 08:49:37 1994`.
    ///
    /// - Returns: `nil` for anything else, and for times that don't exist, such as 31 February.
    package static func parse(_ text: String) -> Date? {
        let words = text.split { " ,-".contains($0) }
        let (day, month, year, time): (Substring, Substring, Substring, Substring)
        switch words.count {
        case 6 where words[5] == "GMT": (day, month, year, time) = (words[1], words[2], words[3], words[4])
        case 5: (day, month, year, time) = (words[2], words[1], words[4], words[3])
        default: return nil
        }
        let numbers = (time.split(separator: ":", omittingEmptySubsequences: false) + [day, year]).compactMap(number)
        guard numbers.count == 5, let month = months.firstIndex(of: String(month)) else { return nil }
        let isShort = year.utf8.count == 2
        return date(
            year: isShort ? fullYear(numbers[4]) : numbers[4], month: Int64(month), day: numbers[3],
            seconds: seconds(numbers[0], numbers[1], numbers[2]))
    }

    private static func number(_ text: Substring) -> Int64? {
        (1...4).contains(text.utf8.count) && text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int64(text) : nil
    }

    /// Returns the seconds since midnight.
    private static func seconds(_ hour: Int64, _ minute: Int64, _ second: Int64) -> Int64? {
        hour < 24 && minute < 60 && second < 60 ? (hour * 60 + minute) * 60 + second : nil
    }

    /// Two digits of a year mean a year that is at most 50 years in the future.
    private static func fullYear(_ digits: Int64) -> Int64 {
        let latest = 1970 + Int64(Date().timeIntervalSince1970 / 31_556_952) + 50
        let year = latest - latest % 100 + digits
        return year > latest ? year - 100 : year
    }

    /// - Parameter month: From 0 to 11.
    private static func date(year: Int64, month: Int64, day: Int64, seconds: Int64?) -> Date? {
        let isLeap = year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
        let lengths: [Int64] = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        guard let seconds, year > 0, (1...lengths[Int(month)]).contains(day) else { return nil }
        let before = year - 1
        let days = before * 365 + before / 4 - before / 100 + before / 400 + lengths[..<Int(month)].reduce(0, +) + day
        let epoch: Int64 = 719_163  // 1 January 1970, if 1 January 1 is day 1
        return Date(timeIntervalSince1970: TimeInterval((days - epoch) * 86_400 + seconds))
    }

    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
}
