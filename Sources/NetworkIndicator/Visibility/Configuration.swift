extension NetworkIndicatorManager {
    /// When the indicator goes on and off, and how often the manager looks for tokens that are gone.
    ///
    /// Values outside a property's limits are clamped to them as they are set.
    ///
    /// ```swift
    /// var configuration = NetworkIndicatorManager.Configuration.standard
    /// configuration.showDelay = .milliseconds(250)
    /// let manager = NetworkIndicatorManager(configuration: configuration)
    /// ```
    public struct Configuration: Sendable, Hashable {
        /// How often the manager looks whether callers' objects are gone. Default 1 s; 10 ms to 100 years.
        ///
        /// The indicator goes off at most this long, plus ``hideDelay``, after the last object is gone. There is no
        /// polling without such an object.
        public var completionCheckInterval: Duration = .seconds(1) {
            didSet { completionCheckInterval = completionCheckInterval.clamped(to: .milliseconds(10) ... .longest) }
        }

        /// How much network use has to add up before the indicator goes on. Default 100 ms; zero to 100 years.
        public var showDelay: Duration = .milliseconds(100) {
            didSet { showDelay = showDelay.clamped(to: .zero ... .longest) }
        }

        /// How long the app has to be idle before the indicator goes off. Default 300 ms; zero to 100 years.
        ///
        /// A shorter pause does not end a busy period: its busy time goes on adding up after it.
        public var hideDelay: Duration = .milliseconds(300) {
            didSet { hideDelay = hideDelay.clamped(to: .zero ... .longest) }
        }

        /// How long the indicator stays on at least. Default zero; zero to 100 years.
        public var minimumVisibleDuration: Duration = .zero {
            didSet { minimumVisibleDuration = minimumVisibleDuration.clamped(to: .zero ... .longest) }
        }

        /// After how long a task is reported to monitors as still running. Default 60 s; zero to 100 years; `nil` for
        /// never.
        public var longRunningTaskThreshold: Duration? = .seconds(60) {
            didSet { longRunningTaskThreshold = longRunningTaskThreshold?.clamped(to: .zero ... .longest) }
        }

        private init() {}

        /// Shows network use of 100 ms and more, and bridges pauses of less than 300 ms.
        public static let standard = Configuration()

        /// No delays: on with the first task, off as soon as the last is known to be over.
        public static let immediate: Configuration = {
            var configuration = Configuration()
            configuration.showDelay = .zero
            configuration.hideDelay = .zero
            return configuration
        }()
    }
}
