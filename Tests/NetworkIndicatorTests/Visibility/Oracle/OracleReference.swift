/// The expected visibility at each tick, computed from all events so far, without timers, deadlines or states.
struct OracleReference {
    /// The tasks and the settings at one moment.
    struct Truth {
        var live = 0
        /// Weak tasks whose end is not detected yet. They delay the detection of idleness.
        var undetected = 0
        var isEnabled = true
        var settings = OracleScript.Settings()
    }

    private(set) var changes: [Change] = []
    private var truth = Truth()
    private var now = 0
    /// Up to the last moment at which a live task was seen.
    private var busyTime = 0
    /// Since that moment.
    private var unseenTime = 0
    private var idleTime = 0
    private var isVisible = false
    private var shownAt = 0

    struct Change: Equatable, CustomStringConvertible {
        let tick: Int
        let isVisible: Bool
        var description: String { "\(isVisible ? "on" : "off") at \(tick)" }
    }

    /// Whether nothing can change before the next step.
    var isAtRest: Bool { !isBusy && !isVisible && idleTime >= truth.settings.hideDelay }

    private var isBusy: Bool { truth.live > 0 || truth.undetected > 0 }

    mutating func passTick() {
        now += 1
        if isBusy { unseenTime += 1 } else { idleTime += 1 }
        endPeriodIfIdle()
    }

    /// Records an event.
    ///
    /// - Parameter seesLiveTask: Whether a task began, was found, or was ended by its caller.
    mutating func note(_ new: Truth, seesLiveTask: Bool) {
        endPeriodIfIdle()
        if seesLiveTask, isBusy { see() }
        if isBusy { idleTime = isVisible ? 0 : unseenTime }
        truth = new
        if !isBusy { unseenTime = 0 }
    }

    private mutating func see() {
        busyTime += unseenTime
        unseenTime = 0
    }

    /// Ends the busy period if the idle time has reached the hide delay.
    private mutating func endPeriodIfIdle() {
        if !isBusy, idleTime >= truth.settings.hideDelay { busyTime = 0 }
    }

    /// Applies a turn of the main thread.
    ///
    /// - Returns: Whether that changes the indicator.
    mutating func mainTurn() -> Bool {
        endPeriodIfIdle()
        let settings = truth.settings
        let shouldBeVisible: Bool
        if !truth.isEnabled {
            shouldBeVisible = false
        } else if isBusy {
            shouldBeVisible = isVisible || (truth.live > 0 && busyTime >= settings.showDelay)
        } else {
            let mayHide = idleTime >= settings.hideDelay && now - shownAt >= settings.minimumVisible
            shouldBeVisible = isVisible && !mayHide
        }
        guard shouldBeVisible != isVisible else { return false }
        isVisible = shouldBeVisible
        if isVisible { shownAt = now }
        changes.append(Change(tick: now, isVisible: isVisible))
        return true
    }
}
