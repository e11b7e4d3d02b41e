import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The modification time of a file, as its server states it.
enum ModificationTime {
    /// Sets a file's time to that of a `Last-Modified` header. Without a valid header, the time doesn't change.
    static func set(from response: URLResponse, on file: URL) {
        guard let value = (response as? HTTPURLResponse)?.value(forHTTPHeaderField: "Last-Modified"),
            let date = date(value)
        else { return }
        try? FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: file.path)
    }

    /// Parses the date that HTTP prescribes, `Sun, 06 Nov 1994 08:49:37 GMT`.
    static func date(_ value: String) -> Date? {
        // DateFormatter on Linux traps at a combining mark among digits.
        guard value.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        return formatter.withLock { $0.date(from: value) }
    }

    /// Shared, because making one for each of 2,000 small files took a tenth of the time.
    private static let formatter = Locked<DateFormatter>(
        {
            let formatter = DateFormatter()
            formatter.locale = Locale(identifier: "en_US_POSIX")
            formatter.timeZone = TimeZone(secondsFromGMT: 0)
            formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
            return formatter
        }())
}
