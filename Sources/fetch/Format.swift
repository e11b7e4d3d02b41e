import NetworkIndicatorTerminal
import NetworkIndicatorTransfers

/// Formats the lines about files.
enum Format {
    /// `0.52 s`, `59.99 s`, `1 m 02 s`, `1 h 02 m`.
    static func time(_ duration: Duration) -> String {
        duration.text(decimals: 2, rounded: .toNearestOrAwayFromZero)
    }

    /// `2.9 MB/s`, or `nil` for no bytes or a time that is too short to measure.
    static func rate(_ bytes: Int64, _ time: Duration) -> String? {
        let seconds = time / .seconds(1)
        return bytes > 0 && seconds >= 0.001 ? ByteCount.rate(Double(bytes) / seconds) : nil
    }

    /// Returns the columns before the path of a complete file: status, size, time and rate.
    ///
    /// - Parameter rate: `nil` to leave out that column.
    static func columns(status: String, size: Int64, time: String, rate: String?, _ style: TerminalStyle) -> String {
        let times = "  \(right(time, 9))" + (rate.map { "  " + right($0, 10) } ?? "")
        return style.successMark + style.secondary(right(status, 3)) + "  \(right(ByteCount(size).description, 8))"
            + style.secondary(times) + "  "
    }

    /// Returns the text with spaces before it.
    private static func right(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }
}
