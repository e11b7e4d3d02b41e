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
    ///
    /// A DateFormatter would take a twelfth of the time of 2,000 small files.
    static func date(_ value: String) -> Date? {
        let parts = value.split(whereSeparator: { $0 == " " || $0 == ":" })
        guard parts.count == 8, parts[7] == "GMT", let index = months.firstIndex(of: String(parts[2]))
        else { return nil }
        let month = index < 9 ? "0\(index + 1)" : "\(index + 1)"
        let text = "\(parts[3])-\(month)-\(parts[1])T\(parts[4]):\(parts[5]):\(parts[6])Z"
        return try? Date(text, strategy: .iso8601)
    }

    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
}
