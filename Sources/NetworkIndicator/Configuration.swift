extension NetworkIndicatorManager {
    /// When the indicator goes on and off, and how often the manager polls for deallocated objects.
    ///
    /// Each property clamps its value to its limits.
    ///
    /// ```swift
    /// var configuration = NetworkIndicatorManager.Configuration.standard
    /// configuration.showDelay = .milliseconds(250)
    /// let manager = NetworkIndicatorManager(configuration: configuration)
    /// ```
    public struct Configuration: Sendable, Hashable {
        /// The longest time between two polls for deallocated objects. Default 1 s; 10 ms to 100 years.
        ///
        /// A poll examines one live task. The next poll follows after an eighth of that task's age, but after 50 ms at
        /// least. After the last object is deallocated, the indicator goes off within one interval plus ``hideDelay``,
        /// or after ``minimumVisibleDuration`` if that is later. Without tracked objects and monitors, the manager
        /// doesn't poll.
        public var completionCheckInterval: Duration = .seconds(1) {
            didSet { completionCheckInterval = completionCheckInterval.clamped(to: .milliseconds(10) ... .longest) }
        }

        /// The busy time that must add up before the indicator goes on. Default 100 ms; zero to 100 years.
        public var showDelay: Duration = .milliseconds(100) {
            didSet { showDelay = showDelay.clamped(to: .zero ... .longest) }
        }

        /// How long the app has to be idle before the indicator goes off. Default 300 ms; zero to 100 years.
        ///
        /// A shorter pause does not end a busy period: the busy times before and after it add up.
        public var hideDelay: Duration = .milliseconds(300) {
            didSet { hideDelay = hideDelay.clamped(to: .zero ... .longest) }
        }

        /// The shortest time that the indicator stays on. Default zero; zero to 100 years.
        public var minimumVisibleDuration: Duration = .zero {
            didSet { minimumVisibleDuration = minimumVisibleDuration.clamped(to: .zero ... .longest) }
        }

        /// How long a task lasts before monitors are notified that it is still running. Default 60 s; zero to 100
        /// years; `nil` for never.
        public var longRunningTaskThreshold: Duration? = .seconds(60) {
            didSet { longRunningTaskThreshold = longRunningTaskThreshold?.clamped(to: .zero ... .longest) }
        }

        private init() {}

        /// Shows network use of 100 ms and more, and bridges pauses of less than 300 ms.
        public static let standard = Configuration()

        /// No delays: the indicator goes on with the first task, and off when the manager detects the end of the last.
        public static let immediate: Configuration = {
            var configuration = Configuration()
            configuration.showDelay = .zero
            configuration.hideDelay = .zero
            return configuration
        }()
    }
}

extension NetworkIndicatorManager {
    /// When the indicator goes on and off. A change takes effect on the main thread's next turn, for running timers
    /// too. Any thread.
    ///
    /// Reading, changing and writing it is not atomic. To change it atomically, use ``updateConfiguration(_:)``.
    public var configuration: Configuration {
        get { tracker.read(\.configuration) }
        set { updateConfiguration { $0 = newValue } }
    }

    /// Changes the configuration atomically. Any thread.
    ///
    /// - Parameter change: Changes the configuration. It runs outside every lock. If another thread has changed the
    ///   configuration meanwhile, it runs again.
    public func updateConfiguration(_ change: (inout Configuration) -> Void) {
        while true {
            let old = configuration
            var new = old
            change(&new)
            let now = tracker.now
            guard tracker.change({ $0.replace(old, with: new, at: now) }) else { continue }
            for source in tracker.read(\.sources) { source.configurationChanged() }
            return
        }
    }

    /// ``Configuration/completionCheckInterval`` of the ``configuration``. Setting it is atomic. Any thread.
    public var completionCheckInterval: Duration {
        get { configuration.completionCheckInterval }
        set { updateConfiguration { $0.completionCheckInterval = newValue } }
    }
}
