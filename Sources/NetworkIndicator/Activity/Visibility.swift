/// Decides when the indicator is on. It is a pure value without timers or callbacks.
///
/// Every call receives the time. An additional step has no effect. ``BusyPeriod`` adds up the busy time, so there are
/// only two states: hidden and visible.
struct Visibility {
    private(set) var busyPeriod: BusyPeriod
    /// When the indicator was switched on; `nil` while it is off.
    private var visibleSince: Timestamp?

    init(at now: Timestamp) { busyPeriod = BusyPeriod(at: now) }

    var isVisible: Bool { visibleSince != nil }

    /// Records that a live task was seen.
    ///
    /// - Returns: Whether the app became busy.
    mutating func seeLiveTask(at now: Timestamp, _ configuration: NetworkIndicatorManager.Configuration) -> Bool {
        busyPeriod.seeLiveTask(at: now, hideDelay: configuration.hideDelay)
    }

    /// Records that no task is left.
    ///
    /// If the last task's end was detected, it ended earlier. While the indicator is off, idle time counts from when
    /// a live task was last seen. While it is on, idle time counts from the detection, so that the indicator doesn't blink
    /// between two tasks.
    mutating func becomeIdle(at now: Timestamp) {
        busyPeriod.becomeIdle(at: isVisible ? now : busyPeriod.seen)
    }

    /// Ends the busy period if the app has been idle for the hide delay.
    mutating func endBusyPeriodIfIdle(at now: Timestamp, _ configuration: NetworkIndicatorManager.Configuration) {
        busyPeriod.endIfIdle(at: now, hideDelay: configuration.hideDelay)
    }

    /// Switches the indicator on or off, if that is due.
    ///
    /// Call it only if a live task has just been seen, or no task is left, or the indicator is disabled.
    ///
    /// - Returns: When the next step is due; `nil` if time alone changes nothing.
    mutating func step(
        isEnabled: Bool, at now: Timestamp, _ configuration: NetworkIndicatorManager.Configuration
    ) -> Timestamp? {
        endBusyPeriodIfIdle(at: now, configuration)
        switch (isEnabled, busyPeriod.isBusy, visibleSince) {
        case (true, true, nil):
            let missing = configuration.showDelay - busyPeriod.busyTime
            guard missing <= .zero else { return now + missing }
            visibleSince = now

        case (true, false, let visibleSince?):
            let deadline = max(
                busyPeriod.since + configuration.hideDelay, visibleSince + configuration.minimumVisibleDuration)
            guard now >= deadline else { return deadline }
            self.visibleSince = nil

        case (false, _, _):
            visibleSince = nil

        case (true, true, _?), (true, false, nil):
            break
        }
        return nil
    }
}
