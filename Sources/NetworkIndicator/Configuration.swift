extension NetworkIndicatorManager {
    /// Specifies when the indicator turns on and off, how often the manager polls for deallocated objects, and when it
    /// reports long-running tasks.
    ///
    /// Each property clamps new values to its range.
    ///
    /// ```swift
    /// var configuration = NetworkIndicatorManager.Configuration.standard
    /// configuration.showDelay = .milliseconds(250)
    /// let manager = NetworkIndicatorManager(configuration: configuration)
    /// ```
    public struct Configuration: Sendable, Hashable {
        /// The longest time between two polls for deallocated objects. The default is 1 s, and the range is 10 ms to
        /// 100 years.
        ///
        /// The next poll follows within an eighth of the age of the oldest live task, or within 50 ms if that is
        /// longer. After the object of the last task is deallocated, the indicator turns off within this interval plus
        /// ``hideDelay``, unless ``minimumVisibleDuration`` keeps it on longer. While the manager holds no objects
        /// weakly, it doesn't poll.
        public var completionCheckInterval: Duration = .seconds(1) {
            didSet { completionCheckInterval = completionCheckInterval.clamped(to: .milliseconds(10) ... .longest) }
        }

        /// The busy time that must accumulate before the indicator turns on. The default is 100 ms, and the range is
        /// zero to 100 years.
        ///
        /// Busy time is the time during which at least one task is under way.
        public var showDelay: Duration = .milliseconds(100) {
            didSet { showDelay = showDelay.clamped(to: .zero ... .longest) }
        }

        /// The time for which the app must be idle before the indicator turns off. The default is 300 ms, and the range
        /// is zero to 100 years.
        ///
        /// If a pause between tasks is shorter than this delay, the busy times before and after the pause both count
        /// toward ``showDelay``. The manager doesn't detect a pause between two polls for deallocated objects.
        public var hideDelay: Duration = .milliseconds(300) {
            didSet { hideDelay = hideDelay.clamped(to: .zero ... .longest) }
        }

        /// The shortest time for which the indicator stays on. The default is zero, and the range is zero to 100 years.
        ///
        /// The time starts when the manager decides to turn the indicator on. Monitors and indicators that block the
        /// main actor then use it up. The indicator turns off earlier if you set ``NetworkIndicatorManager/isEnabled``
        /// to `false` or detach the indicator, or if the manager is deallocated.
        public var minimumVisibleDuration: Duration = .zero {
            didSet { minimumVisibleDuration = minimumVisibleDuration.clamped(to: .zero ... .longest) }
        }

        /// The time after which monitors are notified that a task is still running; `nil` for never. The default is one
        /// minute, and the range is zero to 100 years.
        public var longRunningTaskThreshold: Duration? = .seconds(60) {
            didSet { longRunningTaskThreshold = longRunningTaskThreshold?.clamped(to: .zero ... .longest) }
        }

        /// Creates a configuration with the default values, like ``standard``.
        public init() {}

        /// The default configuration, with a show delay of 100 ms and a hide delay of 300 ms.
        public static let standard = Configuration()

        /// A configuration whose show delay and hide delay are zero.
        public static let immediate: Configuration = {
            var configuration = Configuration()
            configuration.showDelay = .zero
            configuration.hideDelay = .zero
            return configuration
        }()
    }
}

extension NetworkIndicatorManager {
    /// The manager's settings.
    ///
    /// To change the settings, call ``updateConfiguration(_:)``.
    public var configuration: Configuration { tracker.read(\.configuration) }

    /// Changes the configuration atomically.
    ///
    /// A change takes effect asynchronously, and also applies to tasks that are under way.
    ///
    /// - Parameter change: A closure that changes the configuration. The manager calls it without holding a lock, and
    ///   calls it again if another thread has changed the configuration meanwhile.
    public func updateConfiguration(_ change: (inout Configuration) -> Void) {
        while true {
            let old = configuration
            var new = old
            change(&new)
            guard tracker.change({ $0.replace(old, with: new) }) else { continue }
            for source in tracker.read(\.sources) { source.configurationChanged() }
            return
        }
    }

    /// The ``Configuration/completionCheckInterval`` of the ``configuration``. Setting this property is
    /// atomic.
    public var completionCheckInterval: Duration {
        get { configuration.completionCheckInterval }
        set { updateConfiguration { $0.completionCheckInterval = newValue } }
    }
}
