import NetworkIndicator

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

        /// Makes a column.
        public init(_ text: String, priority: Int = 0) {
            self.text = text
            self.priority = priority
        }
    }

    /// The options that the public initialiser takes as parameters.
    package struct Options: Sendable {
        package var frames: [String] = []
        package var interval: Duration = .milliseconds(100) {
            didSet { interval = interval.clamped(to: .milliseconds(20) ... .longest) }
        }
        package var animation = Mode.auto
        package var color = Mode.auto
        package var progress = Mode.auto
        package var showsCursor = false
        package var plainLines = false

        package init(
            frames: [String] = [], interval: Duration = .milliseconds(100), animation: Mode = .auto,
            color: Mode = .auto, progress: Mode = .auto, showsCursor: Bool = false, plainLines: Bool = false
        ) {
            self.frames = frames
            self.interval = interval.clamped(to: .milliseconds(20) ... .longest)
            self.animation = animation
            self.color = color
            self.progress = progress
            self.showsCursor = showsCursor
            self.plainLines = plainLines
        }
    }
}
