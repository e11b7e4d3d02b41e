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

    /// A column of text after the percentage. The column with the highest priority is drawn with normal intensity, and
    /// other columns with reduced intensity.
    ///
    /// A string literal is a detail with the priority 0.
    public struct Detail: Sendable, Hashable, ExpressibleByStringInterpolation {
        /// The text. A column that is empty in all rows takes no space.
        public var text: String
        /// The priority of this column. In a narrow window, the indicator drops columns with lower priorities first. Of
        /// columns with equal priorities, it drops the last one first. If several rows have this column, the highest of
        /// their priorities applies.
        public var priority: Int

        /// Creates a column.
        public init(_ text: String, priority: Int = 0) {
            self.text = text
            self.priority = priority
        }

        /// Creates a column with the priority 0.
        public init(stringLiteral text: String) { self.init(text) }
    }

    /// A name, the progress and further columns of text.
    ///
    /// A string literal is a row that consists of a name.
    public struct Row: Sendable, Hashable, ExpressibleByStringInterpolation {
        /// The text at the beginning of the row. If the names of the rows below the main row don't fit, an ellipsis
        /// replaces their longest common prefix that ends with a separator, such as a space or `/`. A prefix of fewer
        /// than four characters is kept. Names that are still too long are cut in the middle.
        public var name: String
        /// The progress from 0 to 1, shown as a bar and a percentage. At 100 %, the bar is green. `nil` and NaN mean that the progress is unknown.
        /// Numbers outside this range are clamped.
        public var fraction: Double?
        /// Columns after the percentage, aligned across all rows.
        public var details: [Detail]

        /// Creates a row.
        public init(_ name: String, fraction: Double? = nil, details: [Detail] = []) {
            self.name = name
            self.fraction = fraction
            self.details = details
        }

        /// Creates a row from texts in the order of `TransferStatus.details`: bytes, rate, and time.
        ///
        /// In a narrow window, the indicator drops the fourth and later texts first, then the second one, then the
        /// first one, and then the third one.
        public init(_ name: String, fraction: Double? = nil, details: [some StringProtocol]) {
            let priorities = [2, 1, 3]
            self.init(
                name, fraction: fraction,
                details: details.enumerated().map {
                    Detail(String($1), priority: $0 < priorities.count ? priorities[$0] : 0)
                })
        }

        /// Creates a row that consists of a name.
        public init(stringLiteral name: String) { self.init(name) }
    }
}
