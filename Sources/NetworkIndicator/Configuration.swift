extension NetworkIndicatorManager {
    /// Specifies when the indicator turns on and off, and how often the manager polls for deallocated objects.
    ///
    /// Each property clamps a new value to the limits in its documentation.
    ///
    /// ```swift
    /// var configuration = NetworkIndicatorManager.Configuration.standard
    /// configuration.showDelay = .milliseconds(250)
    /// let manager = NetworkIndicatorManager(configuration: configuration)
    /// ```
    public struct Configuration: Sendable, Hashable {
        /// The longest time between two polls for deallocated objects. The default is 1 s, and the limits are 10 ms and
        /// 100 years.
        ///
        /// Unless a monitor is attached, a poll examines one live task. The next poll follows after at most an eighth
        /// of that task's age, or after 50 ms if that is longer. After the last object is deallocated, the indicator
        /// turns off within one interval plus ``hideDelay``, or after ``minimumVisibleDuration`` if that is later. If
        /// the manager tracks no objects and no monitor is attached, the manager doesn't poll.
        public var completionCheckInterval: Duration = .seconds(1) {
            didSet { completionCheckInterval = completionCheckInterval.clamped(to: .milliseconds(10) ... .longest) }
        }

        /// The busy time that must accumulate before the indicator turns on. The default is 100 ms, and the limits are
        /// zero and 100 years.
        public var showDelay: Duration = .milliseconds(100) {
            didSet { showDelay = showDelay.clamped(to: .zero ... .longest) }
        }

        /// The time for which the app must be idle before the indicator turns off. The default is 300 ms, and the
        /// limits are zero and 100 years.
        ///
        /// A shorter pause doesn't end a busy period. The busy time before the pause and the busy time after it add up.
        public var hideDelay: Duration = .milliseconds(300) {
            didSet { hideDelay = hideDelay.clamped(to: .zero ... .longest) }
        }

        /// The shortest time for which the indicator stays on, unless you disable it. The default is zero, and the
        /// limits are zero and 100 years.
        public var minimumVisibleDuration: Duration = .zero {
            didSet { minimumVisibleDuration = minimumVisibleDuration.clamped(to: .zero ... .longest) }
        }

        /// The time after which monitors are notified that a task is still running; `nil` for never. The default is one
        /// minute, and the limits are zero and 100 years.
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
    /// The settings that determine when the indicator turns on and off. This property is thread-safe.
    ///
    /// A change takes effect on the main thread's next turn, and also applies to running timers. Reading this property,
    /// changing the value and writing it back isn't atomic. To change the configuration atomically, use
    /// ``updateConfiguration(_:)``.
    public var configuration: Configuration {
        get { tracker.read(\.configuration) }
        set { updateConfiguration { $0 = newValue } }
    }

    /// Changes the configuration atomically. This method is thread-safe.
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

    /// The ``Configuration/completionCheckInterval`` of the ``configuration``. Setting this property is atomic. The
    /// property is thread-safe.
    public var completionCheckInterval: Duration {
        get { configuration.completionCheckInterval }
        set { updateConfiguration { $0.completionCheckInterval = newValue } }
    }
}
