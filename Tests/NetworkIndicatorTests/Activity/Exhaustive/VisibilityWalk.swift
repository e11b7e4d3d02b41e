@testable import NetworkIndicator

/// The state machine and its busy period, used as a manager uses them, and a simple model in whole milliseconds.
///
/// It is a value: copy it to try two continuations of a sequence of events.
struct VisibilityWalk {
    enum Event: CaseIterable {
        /// A task begins, or the caller ends the only one.
        case toggleBusy
        /// The token of the only task is deallocated. The next turn detects it.
        case deallocate
        case toggleEnabled
        case nextSettings
        /// Time passes, and deadlines are handled on time.
        case shortWait, longWait
        /// Time passes while the main thread is blocked.
        case stall
        /// Time passes up to the pending deadline, if there is one.
        case deadline
    }

    struct Settings {
        let showDelay, hideDelay, minimumVisible: Int
        let configuration: NetworkIndicatorManager.Configuration

        init(showDelay: Int, hideDelay: Int, minimumVisible: Int) {
            self.showDelay = showDelay
            self.hideDelay = hideDelay
            self.minimumVisible = minimumVisible
            var configuration = NetworkIndicatorManager.Configuration.standard
            configuration.showDelay = .milliseconds(showDelay)
            configuration.hideDelay = .milliseconds(hideDelay)
            configuration.minimumVisibleDuration = .milliseconds(minimumVisible)
            self.configuration = configuration
        }
    }

    static let settings = [
        Settings(showDelay: 2, hideDelay: 3, minimumVisible: 0),
        Settings(showDelay: 0, hideDelay: 0, minimumVisible: 4),
        Settings(showDelay: 5, hideDelay: 1, minimumVisible: 2),
    ]
    private static let origin = SuspendingClock().now

    // The code under test.
    private var visibility = Visibility(at: Timestamp(origin))
    private var deadline: Timestamp?

    // The model. Times are in milliseconds since the start.
    private var now = 0
    private var isBusy = false
    /// When the task began.
    private var began = 0
    /// Whether the task's token is deallocated, and this is not detected.
    private var isDeallocated = false
    private var isEnabled = true
    private var settingsIndex: Int
    /// The busy time of the current busy period, up to the last moment at which a live task was seen.
    private var busyTime = 0
    /// The time since that moment.
    private var unseenTime = 0
    private var idleTime = 0
    private var shownAt = 0
    private var wasVisible = false

    /// The first violation. A walk with a violation doesn't continue.
    private(set) var violation: String?

    init(settings: Int) { settingsIndex = settings }

    private var settings: Settings { Self.settings[settingsIndex] }
    private var timestamp: Timestamp { Timestamp(Self.origin.advanced(by: .milliseconds(now))) }

    /// - Returns: Whether the event is possible. The event `deadline` needs a pending deadline, and `deallocate` a task.
    mutating func take(_ event: Event) -> Bool {
        switch event {
        case .toggleBusy:
            if isBusy, !isDeallocated {
                seeLiveTask()
                visibility.becomeIdle(at: timestamp)
                isBusy = false
            } else {
                _ = visibility.begin(at: timestamp, hideDelay: settings.configuration.hideDelay)
                // The main thread was blocked: the earlier task may have ended long ago.
                if isDeallocated, !visibility.isVisible, unseenTime > 0, unseenTime >= settings.hideDelay {
                    (busyTime, unseenTime) = (0, 0)
                }
                (isBusy, began) = (true, now)
            }
            (isDeallocated, idleTime) = (false, 0)
            noteIdleness()
            reconcile()
        case .deallocate:
            guard isBusy, !isDeallocated else { return false }
            isDeallocated = true
        case .toggleEnabled:
            isEnabled.toggle()
            reconcile()
        case .nextSettings:
            // The manager does the same for a new configuration.
            visibility.endBusyPeriodIfIdle(at: timestamp, hideDelay: settings.configuration.hideDelay)
            settingsIndex = (settingsIndex + 1) % Self.settings.count
            noteIdleness()
            reconcile()
        case .shortWait:
            wait(1)
        case .longWait:
            wait(4)
        case .stall:
            pass(4)
            reconcile()
        case .deadline:
            guard let deadline else { return false }
            wait(milliseconds(to: deadline))
        }
        return true
    }

    private func milliseconds(to deadline: Timestamp) -> Int {
        Int(timestamp.duration(to: deadline) / .milliseconds(1))
    }

    private mutating func wait(_ duration: Int) {
        let end = now + duration
        while let deadline, violation == nil {
            let missing = milliseconds(to: deadline)
            guard now + missing <= end else { break }
            pass(missing)
            reconcile()
        }
        pass(end - now)
    }

    /// Advances the time and the model.
    private mutating func pass(_ duration: Int) {
        now += duration
        if isBusy { unseenTime += duration } else { idleTime += duration }
        noteIdleness()
    }

    private mutating func noteIdleness() {
        if !isBusy, idleTime >= settings.hideDelay { busyTime = 0 }
    }

    /// Moves the time up to now to the busy time.
    private mutating func see() {
        if isBusy { busyTime += unseenTime }
        unseenTime = 0
    }

    private mutating func seeLiveTask() {
        let began = Timestamp(Self.origin.advanced(by: .milliseconds(began)))
        visibility.seeLiveTask(
            since: began, at: timestamp, hideDelay: settings.configuration.hideDelay, isOldest: true)
        see()
    }

    /// Does the work of a turn, then checks the invariants.
    private mutating func reconcile() {
        if isBusy, isDeallocated {
            visibility.becomeIdle(at: timestamp)
            idleTime = visibility.isVisible ? 0 : unseenTime
            (isBusy, isDeallocated, unseenTime) = (false, false, 0)
            noteIdleness()
        } else if isBusy {
            seeLiveTask()
        }
        deadline = step()
        let isVisible = visibility.isVisible
        check()
        if step() != deadline || visibility.isVisible != isVisible { fail("a second step changed something") }
    }

    private mutating func step() -> Timestamp? {
        visibility.step(isEnabled: isEnabled, at: timestamp, settings.configuration)
    }

    // MARK: Invariants

    private mutating func check() {
        let isVisible = visibility.isVisible
        if isVisible, !wasVisible {
            shownAt = now
            if !isEnabled { fail("shown while disabled") }
            if !isBusy { fail("shown while idle") }
            if busyTime < settings.showDelay { fail("shown after \(busyTime) ms of network use") }
        }
        let isIdleLongEnough = idleTime >= settings.hideDelay && now - shownAt >= settings.minimumVisible
        if !isVisible, wasVisible, isEnabled {
            if isBusy { fail("hidden while busy") }
            if !isIdleLongEnough {
                fail("hidden after \(idleTime) ms of idleness, \(now - shownAt) ms after it was shown")
            }
        }
        if isVisible, !isEnabled { fail("visible while disabled") }
        if isVisible, !isBusy, isIdleLongEnough { fail("visible after \(idleTime) ms of idleness") }
        if !isVisible, isEnabled, isBusy, busyTime >= settings.showDelay {
            fail("hidden after \(busyTime) ms of network use")
        }
        wasVisible = isVisible
        let expected = expectedDeadline()
        let actual = deadline.map { now + milliseconds(to: $0) }
        if actual != expected {
            fail(
                "the next reconcile is due at \(actual.map(String.init) ?? "no time"), not at \(expected.map(String.init) ?? "none")"
            )
        }
    }

    /// Returns the expected deadline, which exists only if time alone changes the visibility.
    private func expectedDeadline() -> Int? {
        guard isEnabled else { return nil }
        switch (visibility.isVisible, isBusy) {
        case (true, true): return nil
        case (true, false): return max(now - idleTime + settings.hideDelay, shownAt + settings.minimumVisible)
        case (false, true): return now + settings.showDelay - busyTime
        case (false, false): return nil
        }
    }

    private mutating func fail(_ what: String) {
        if violation == nil { violation = "at \(now) ms: \(what) (settings \(settingsIndex))" }
    }
}
