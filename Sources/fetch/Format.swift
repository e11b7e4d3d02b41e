/// Numbers for people, the same in every locale.
enum Format {
    /// `512 B`, `1.5 kB`, `23.4 MB`: decimal units, one digit behind the point, rounded.
    static func size(_ bytes: Int) -> String {
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

    /// `0.8 s`: as ``time(_:)``, but below a minute in tenths, rounded up.
    static func delay(_ duration: Duration) -> String {
        let tenths = Int64((max(.zero, duration) / .milliseconds(100)).rounded(.up))
        return tenths < 600 ? "\(tenths / 10).\(tenths % 10) s" : time(duration)
    }

    /// A line for a complete file: status, size, time and path, in columns.
    static func line(_ outcome: Download.Outcome, time: Duration, path: String) -> String {
        "\(outcome.status)  \(right(size(outcome.size), 8))  \(right(self.time(time), 9))  \(path)"
    }

    /// `3 files`, `1 file`.
    static func count(_ count: Int, _ noun: String) -> String {
        "\(count) \(noun)\(count == 1 ? "" : "s")"
    }

    private static func padded(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }

    private static func right(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }
}
