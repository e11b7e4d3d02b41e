/// Unlike the text of `ByteCountFormatStyle`, the description is the same in every locale.
struct ByteCount: CustomStringConvertible {
    let number: String
    let unit: String

    var description: String { "\(number) \(unit)" }

    init(_ bytes: Int64) {
        self.init(Double(bytes), wholeFrom: .infinity)
    }

    static func rate(_ bytesPerSecond: Double) -> String {
        "\(ByteCount(bytesPerSecond, wholeFrom: 10))/s"
    }

    private init(_ bytes: Double, wholeFrom limit: Double) {
        var value = max(0, bytes)
        var units = ["B", "kB", "MB", "GB", "TB", "PB", "EB"][...]
        var tenths: Double { (value * 10).rounded() / 10 }
        var isWhole: Bool { units.first == "B" || tenths >= limit }
        // The rounded number determines the unit, so that 999.95 kB becomes 1.0 MB.
        while (isWhole ? value.rounded() : tenths) >= 1000, units.count > 1 {
            value /= 1000
            units.removeFirst()
        }
        unit = units.first!
        number = isWhole ? "\(Int64(value.rounded()))" : "\(tenths)"
    }
}
