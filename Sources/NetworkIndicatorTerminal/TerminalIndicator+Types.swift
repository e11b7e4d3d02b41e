extension TerminalIndicator {
    /// When to use a feature.
    public enum Mode: Sendable, Hashable {
        /// Decide automatically, as the documentation of each property of this type describes.
        case automatic
        /// Use the feature regardless of the environment variables.
        case always
        /// Don't use the feature.
        case never
    }

    /// A name, the progress and further columns of text.
    ///
    /// A string literal is a row that consists of a name.
    public struct Row: Sendable, Hashable, ExpressibleByStringInterpolation {
        /// The text at the beginning of the row. If the names of the rows below the main row don't fit, an ellipsis
        /// replaces their longest common prefix that ends with a separator, such as a space or `/`. A prefix of fewer
        /// than four characters is kept. Names that are still too long are cut in the middle.
        public var name: String
        /// The progress from 0 to 1, shown as a bar and a percentage. At 100 %, the bar is green. `nil` and NaN mean
        /// that the progress is unknown. Numbers outside this range are clamped.
        public var fraction: Double?
        /// Columns of text after the percentage, aligned across all rows, in the order of `TransferStatus.details`:
        /// bytes, rate, and time. If there are at least three details, widths are reserved, so that the bars keep their
        /// places when the numbers appear: at least 8 cells for the rate, 10 for the time, and 16 for the bytes. In a
        /// row without rows below it, the bytes take the cells of their largest text instead, such as `1.0 of 1.0 MB`.
        /// Other columns that are empty in all rows take no space.
        ///
        /// In a narrow window, the indicator drops the last column first, down to the fourth one. It then drops the
        /// second, the first and the third column. If there are rows below the main row, the second detail of the main
        /// row then stands behind the name while there is room. The column that the indicator drops last has normal
        /// intensity, and other columns have reduced intensity.
        public var details: [String]

        /// Creates a row.
        public init(_ name: String, fraction: Double? = nil, details: [String] = []) {
            self.name = name
            self.fraction = fraction
            self.details = details
        }

        /// Creates a row that consists of a name.
        public init(stringLiteral name: String) { self.init(name) }
    }
}
