/// Parses numbers of bytes with units.
enum ByteCount {
    /// Parses `500000`, `500k`, `20MB` and `4GiB`: `k` is 1000 and `Ki` is 1024, in upper or lower case.
    ///
    /// - Returns: `nil` for anything else, for zero, and for more than `Int` holds.
    static func parse(_ text: String) -> Int? {
        let digits = text.utf8.prefix { (0x30...0x39).contains($0) }
        guard let number = Int(Substring(digits)), number > 0,
            let factor = factor(text[digits.endIndex...].lowercased())
        else { return nil }
        let (product, overflow) = number.multipliedReportingOverflow(by: factor)
        return overflow ? nil : product
    }

    private static func factor(_ suffix: String) -> Int? {
        let suffix = suffix.hasSuffix("b") ? suffix.dropLast() : suffix[...]
        return switch suffix {
        case "": 1
        case "k": 1_000
        case "m": 1_000_000
        case "g": 1_000_000_000
        case "t": 1_000_000_000_000
        case "ki": 1 << 10
        case "mi": 1 << 20
        case "gi": 1 << 30
        case "ti": 1 << 40
        default: nil
        }
    }
}
