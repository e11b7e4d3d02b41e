extension NetworkIndicatorManager {
    /// Specifies when the indicator turns on and off, and how often the manager polls for deallocated objects.
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
        /// A poll examines one live task. The next poll follows after an eighth of that task's age, but after at least
        /// 50 ms. After the last object is deallocated, the indicator turns off within one interval plus ``hideDelay``,
        /// or after ``minimumVisibleDuration`` if that is later. Without tracked objects and monitors, the manager
        /// doesn't poll.
        public var completionCheckInterval: Duration = .seconds(1) {
            didSet { completionCheckInterval = completionCheckInterval.clamped(to: .milliseconds(10) ... .longest) }
        }

        /// The busy time that must accumulate before the indicator turns on. Default 100 ms; zero to 100 years.
        public var showDelay: Duration = .milliseconds(100) {
            didSet { showDelay = showDelay.clamped(to: .zero ... .longest) }
        }

        /// The time for which the app must be idle before the indicator turns off. Default 300 ms; zero to 100 years.
        ///
        /// A shorter pause doesn't end a busy period. The busy time before and after the pause adds up.
        public var hideDelay: Duration = .milliseconds(300) {
            didSet { hideDelay = hideDelay.clamped(to: .zero ... .longest) }
        }

        /// The shortest time that the indicator stays on. Default zero; zero to 100 years.
        public var minimumVisibleDuration: Duration = .zero {
            didSet { minimumVisibleDuration = minimumVisibleDuration.clamped(to: .zero ... .longest) }
        }

        /// The time after which monitors are notified that a task is still running. Default 60 s; zero to 100 years;
        /// `nil` for never.
        public var longRunningTaskThreshold: Duration? = .seconds(60) {
            didSet { longRunningTaskThreshold = longRunningTaskThreshold?.clamped(to: .zero ... .longest) }
        }

        private init() {}

        /// The default configuration. The indicator shows network use of at least 100 ms, and bridges pauses of less
        /// than 300 ms.
        public static let standard = Configuration()

        /// A configuration without delays. The indicator turns on when the first task begins, and turns off when the
        /// manager detects the end of the last task.
        public static let immediate: Configuration = {
            var configuration = Configuration()
            configuration.showDelay = .zero
            configuration.hideDelay = .zero
            return configuration
        }()
    }
}

extension NetworkIndicatorManager {
    /// The settings that determine when the indicator turns on and off. A change takes effect on the main thread's next
    /// turn, and also applies to running timers. Any thread.
    ///
    /// Reading this property, changing the value and writing it back isn't atomic. To change the configuration
    /// atomically, use ``updateConfiguration(_:)``.
    public var configuration: Configuration {
        get { tracker.read(\.configuration) }
        set { updateConfiguration { $0 = newValue } }
    }

    /// Changes the configuration atomically. Any thread.
    ///
    /// - Parameter change: A closure that changes the configuration. The manager calls it without holding a lock. If
    ///   another thread changes the configuration meanwhile, the manager calls the closure again.
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

    /// The ``Configuration/completionCheckInterval`` of the ``configuration``. Setting this property is atomic. Any
    /// thread.
    public var completionCheckInterval: Duration {
        get { configuration.completionCheckInterval }
        set { updateConfiguration { $0.completionCheckInterval = newValue } }
    }
}
