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
        /// What has been transferred, such as `24.1 of 62.6 MB`. Its column has at least 16 cells.
        ///
        /// A column of texts exists if one of the rows has, or had, a text that isn't `nil`. While a text is empty, its
        /// column stays reserved. In a narrow window, the indicator drops first the rate, then the amount, the bar, the
        /// time, and at last the percentage. A main row with rows below it shows its rate behind the name then, if
        /// there is room.
        public var amount: String?
        /// How fast it is, such as `250 kB/s`. Its column has at least 8 cells.
        public var rate: String?
        /// The time left, such as `12 s left`, or why there is none, such as `stalled 12 s`. Its column has at least
        /// 12 cells.
        public var time: String?

        /// Creates a row.
        public init(
            _ name: String, fraction: Double? = nil, amount: String? = nil, rate: String? = nil, time: String? = nil
        ) {
            (self.name, self.fraction) = (name, fraction)
            (self.amount, self.rate, self.time) = (amount, rate, time)
        }

        /// Creates a row that consists of a name.
        public init(stringLiteral name: String) { self.init(name) }
    }
}
