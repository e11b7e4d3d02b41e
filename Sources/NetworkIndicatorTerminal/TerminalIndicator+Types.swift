extension TerminalIndicator {
    /// When to use a feature.
    public enum Mode: Sendable, Hashable {
        /// Decide automatically, as the documentation of each parameter of this type describes.
        case auto
        /// Use the feature regardless of the environment variables.
        case always
        /// Don't use the feature.
        case never
    }

    /// A column of text after the percentage.
    public struct Detail: Sendable, Hashable {
        /// The text. In the main row, a column without text takes no space. In the rows below the main row, a column
        /// takes no space only if it is empty in all of these rows.
        public var text: String
        /// The priority of this column. In a narrow window, the indicator drops columns with lower priorities first. Of
        /// columns with equal priorities, it drops the last one first. If several rows below the main row have this
        /// column, the highest of their priorities applies.
        public var priority: Int

        /// Creates a column.
        public init(_ text: String, priority: Int = 0) {
            self.text = text
            self.priority = priority
        }
    }

    /// A row below the main row, for one of several transfers.
    public struct Row: Sendable, Hashable {
        /// The name at the beginning of the row. If the names don't fit, an ellipsis replaces their longest common
        /// prefix that ends with a separator, such as a space or `/`. A prefix of fewer than four characters is kept.
        /// Names that are still too long are cut in the middle.
        public var name: String
        /// The progress from 0 to 1, shown as a bar and a percentage. `nil` and NaN mean that the progress is unknown.
        /// Numbers outside this range are clamped.
        public var fraction: Double?
        /// Columns after the percentage, aligned across all rows below the main row.
        public var details: [Detail]

        /// Creates a row.
        public init(_ name: String, fraction: Double? = nil, details: [Detail] = []) {
            self.name = name
            self.fraction = fraction
            self.details = details
        }
    }
}
