extension TerminalIndicator {
    /// When to use a feature.
    public enum Mode: Sendable, Hashable {
        /// Use the feature if the terminal and the environment suggest it.
        case auto
        /// Use it regardless of the environment.
        case always
        /// Don't use it.
        case never
    }

    /// A column of the row, after the percentage.
    public struct Detail: Sendable, Hashable {
        /// The text of the column. An empty text takes no space.
        public var text: String
        /// In a narrow window, the details with the lowest priority are dropped first. Among equal priorities, the last
        /// one is dropped first.
        public var priority: Int

        /// Creates a column.
        public init(_ text: String, priority: Int = 0) {
            self.text = text
            self.priority = priority
        }
    }
}
