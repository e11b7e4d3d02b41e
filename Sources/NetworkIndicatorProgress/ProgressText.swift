import Foundation
import NetworkIndicator

/// Unlike the texts of `ByteCountFormatStyle`, these texts are the same in every locale.
package enum ProgressText {
    package static func bytes(_ completed: Int64, of total: Int64? = nil, isRough: Bool = false) -> String {
        let values = [completed, total].compactMap { $0.map { Double($0) } }
        return text(values, isRough ? " of ~" : " of ") { $1 < 2 || $0 >= 99.95 ? 0 : $1 > 2 && $0 < 9.995 ? 2 : 1 }
    }

    package static func rate(_ bytesPerSecond: Double) -> String {
        text([bytesPerSecond]) { $1 == 0 || $0 >= 9.95 ? 0 : 1 } + "/s"
    }

    package static func timeLeft(_ time: Duration) -> String {
        "\(max(time, .seconds(1)).text(rounded: .toNearestOrEven)) left"
    }

    /// - Parameter decimals: Returns the number of decimals for a value, and for the exponent of its unit to base 1000.
    private static func text(_ values: [Double], _ separator: String = "", decimals: (Double, Int) -> Int) -> String {
        func number(_ bytes: Double, _ exponent: Int) -> String {
            let value = bytes / pow(1000, Double(exponent))
            return String(format: "%.\(decimals(value, exponent))f", value)
        }
        let units = ["B", "kB", "MB", "GB", "TB", "PB", "EB"]
        // The rounded last number determines the unit, so that 999.5 kB becomes 1.0 MB.
        let exponent = units.indices.dropLast().first { Double(number(values.last!, $0))! < 1000 } ?? units.endIndex - 1
        return values.map { number($0, exponent) }.joined(separator: separator) + " " + units[exponent]
    }
}

extension Duration {
    /// By default, the number is rounded up, so that no positive duration is shown as zero. The unit is the largest one
    /// of which there are at least two, so that the texts in a column have nearly the same width.
    ///
    /// - Parameter hasTenths: Whether a duration of less than ten seconds is shown in tenths, but not as zero.
    package func text(rounded rule: FloatingPointRoundingRule = .up, hasTenths: Bool = false) -> String {
        let seconds = clamped(to: .zero ... .longest).timeInterval
        if hasTenths, seconds < 9.95 { return String(format: "%.1f s", max(0.1, seconds)) }
        let (size, unit) = seconds < 120 ? (1.0, "s") : seconds < 7200 ? (60, "m") : (3600, "h")
        return "\(Int64((seconds / size).rounded(rule))) \(unit)"
    }
}
