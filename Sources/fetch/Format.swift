import NetworkIndicatorTerminal

/// Formats numbers in the same way for every locale.
enum Format {
    /// `512 B`, `1.5 kB`, `23.4 MB`: decimal units, rounded to one decimal.
    static func size(_ bytes: Int64) -> String {
        guard bytes >= 1000 else { return "\(bytes) B" }
        var tenths = Double(bytes) / 100
        var units = ["kB", "MB", "GB", "TB", "PB", "EB"][...]
        // 999.95 rounds up to the next unit.
        while tenths.rounded() >= 10_000, units.count > 1 {
            tenths /= 1000
            units.removeFirst()
        }
        let rounded = Int(tenths.rounded())
        return "\(rounded / 10).\(rounded % 10) \(units.first!)"
    }

    /// `0.52 s`, `59.99 s`, `1 m 02 s`, `1 h 02 m`.
    static func time(_ duration: Duration) -> String {
        let (seconds, attoseconds) = max(.zero, duration).components
        let hundredths = seconds * 100 + (attoseconds + 5_000_000_000_000_000) / 10_000_000_000_000_000
        if hundredths < 6000 { return "\(hundredths / 100).\(padded(hundredths % 100)) s" }
        let whole = (hundredths + 50) / 100
        if whole < 3600 { return "\(whole / 60) m \(padded(whole % 60)) s" }
        return "\(whole / 3600) h \(padded(whole % 3600 / 60)) m"
    }

    /// `0.8 s`: like ``time(_:)``, but with one decimal below a minute, rounded up.
    static func delay(_ duration: Duration) -> String {
        let tenths = Int64((max(.zero, duration) / .milliseconds(100)).rounded(.up))
        return tenths < 600 ? "\(tenths / 10).\(tenths % 10) s" : time(duration)
    }

    /// `2.9 MB/s`, or `nil` for no bytes or a time that is too short to measure.
    static func rate(_ bytes: Int64, _ time: Duration) -> String? {
        let seconds = time / .seconds(1)
        guard bytes > 0, seconds >= 0.001 else { return nil }
        return size(Int64(Double(bytes) / seconds)) + "/s"
    }

    /// Returns a line for a complete file: status, size, time, rate and path, in columns.
    ///
    /// - Parameter rate: `nil` for a line without that column.
    static func line(
        status: Int, size: Int64, time: Duration, rate: String?, path: String, _ style: TerminalStyle
    ) -> Line {
        var line = Line()
        line.append(mark: style.successMark)
        line.append("\(status)", style.secondary)
        line.append("  \(right(self.size(size), 8))")
        line.append("  \(right(self.time(time), 9))" + (rate.map { "  " + right($0, 10) } ?? ""), style.secondary)
        line.append("  \(path)")
        return line
    }

    /// `3 files`, `1 file`.
    static func count(_ count: Int, _ noun: String) -> String {
        "\(count) \(noun)\(count == 1 ? "" : "s")"
    }

    private static func padded(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }

    /// Returns the text with spaces before it.
    static func right(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }
}
