import NetworkIndicator

/// Derives bounds for the manager's behaviour from the calls and the documentation alone, not from the manager's code.
struct OraclePromises {
    private struct Spell {
        let name: String
        let isPolled: Bool
        let began: Duration
        /// The earliest time from which the manager may measure the busy time and the object's age. If a task begins
        /// again before the manager has detected that its condition was false, the manager continues the task.
        let oldest: Duration
        var ended: Duration?
        /// The manager counts the ended task as live at least until `least`, and at most until `most`.
        var least = Duration.zero
        var most = Duration.zero
        /// The time by which the manager detects the end.
        var detectedBy = Self.never

        static let never = Duration.seconds(1 << 40)
    }

    var isEnabled = true
    var isAwaited = false { didSet { boundNextPoll() } }
    private(set) var isOn = false
    private var lastShown = Duration.zero
    private var lastOn = Duration.zero
    private var lastMainTurn = Duration.zero
    /// A turn retains the objects that it examines, and releases the conditions of ended tasks. An object that a turn
    /// deallocates counts as live in that turn.
    var lastDeallocationInTurn: Duration?
    private var spells: [Spell] = []
    private var configuration = NetworkIndicatorManager.Configuration.standard
    private var hideDelays = Duration.zero...Duration.zero
    private(set) var longestInterval = Duration.zero
    /// The time by which the first poll after the end of all polled tasks must occur, if the main thread isn't blocked.
    private var nextPoll = Duration.zero

    var isBusy: Bool { spells.contains { $0.ended == nil } }
    var isAtRest: Bool { spells.isEmpty }
    var liveNames: [String] { spells.filter { $0.ended == nil }.map(\.name) }
    var unreportedNames: [String] {
        spells.filter { $0.ended.map { lastMainTurn < $0 + longestInterval } ?? false }.map(\.name)
    }

    // MARK: Calls

    mutating func begin(_ name: String, isPolled: Bool, at now: Duration) {
        if liveNames.contains(name) { return }
        let last = spells.last { $0.name == name && $0.detectedBy == Spell.never }
        spells.append(Spell(name: name, isPolled: isPolled, began: now, oldest: last?.oldest ?? now))
    }

    mutating func finish(_ name: String? = nil, at now: Duration) {
        for index in spells.indices where spells[index].detectedBy == Spell.never {
            guard name == nil || spells[index].name == name else { continue }
            if spells[index].ended == nil { (spells[index].ended, spells[index].least) = (now, now) }
            (spells[index].most, spells[index].detectedBy) = (now, now)
        }
        boundNextPoll()
    }

    mutating func abandon(_ name: String, at now: Duration) {
        guard let index = spells.firstIndex(where: { $0.name == name && $0.ended == nil }) else { return }
        // A poll found a live task at most one poll interval before the main thread last ran.
        let oldest = spells.filter { $0.isPolled && $0.detectedBy == Spell.never }.map(\.oldest).min()!
        let seen = lastMainTurn - pollInterval(age: now - oldest, limit: longestInterval)
        (spells[index].ended, spells[index].least, spells[index].most) = (now, max(seen, spells[index].began), now)
        boundNextPoll()
    }

    private mutating func detectAll(at now: Duration) {
        for index in spells.indices {
            guard let ended = spells[index].ended else { continue }
            spells[index].detectedBy = min(spells[index].detectedBy, max(ended, now))
        }
    }

    mutating func configure(_ new: OracleScript.Configuration) {
        configuration = new
        hideDelays = min(hideDelays.lowerBound, new.hideDelay)...max(hideDelays.upperBound, new.hideDelay)
        longestInterval = max(longestInterval, new.completionCheckInterval)
        boundNextPoll()
    }

    mutating func mainRan(from start: Duration, to now: Duration) {
        if !spells.contains(where: { $0.isPolled && $0.ended == nil }), nextPoll <= now {
            detectAll(at: max(nextPoll, start))
        }
        lastMainTurn = now
        if isOn { lastOn = now }
        guard !isBusy, !isOn, now >= lastDetection + hideDelays.upperBound else { return }
        spells = []
        hideDelays = configuration.hideDelay...configuration.hideDelay
        longestInterval = configuration.completionCheckInterval
    }

    // MARK: Bounds

    private func pollInterval(age: Duration, limit: Duration) -> Duration {
        min(limit, max(.milliseconds(50), age / 8))
    }

    /// Any ended task can be the one that the last poll found live, so the bound is the maximum over all of them.
    private mutating func boundNextPoll() {
        let limit = min(configuration.completionCheckInterval, isAwaited ? .milliseconds(100) : Spell.never)
        for spell in spells where spell.isPolled {
            guard let ended = spell.ended else { continue }
            nextPoll = max(nextPoll, ended + pollInterval(age: ended - spell.oldest, limit: limit))
        }
    }

    private var lastDetection: Duration { spells.map(\.detectedBy).max() ?? .zero }

    private func leastBusyTime(at now: Duration) -> Duration {
        var busy = Duration.zero
        var end = spells.first?.began ?? now
        for spell in spells {
            let least = spell.ended == nil ? now : spell.least
            guard spell.ended == nil || least > spell.began else { continue }
            if spell.began - end >= hideDelays.lowerBound { busy = .zero }
            busy += max(.zero, least - max(spell.began, end))
            end = max(end, least)
        }
        return busy
    }

    /// The manager may count an undetected pause as busy time, unless the pause is at least as long as the hide delay
    /// and the interval of the poll before it.
    private func mostBusyTime(at now: Duration) -> Duration {
        var busy = Duration.zero
        let spells = spells.sorted { $0.oldest < $1.oldest }
        var end = spells.first?.oldest ?? now
        var detection = Duration.zero
        for spell in spells {
            if spell.oldest > end {
                // While the indicator is on, the hide delay starts when the manager detects the end.
                let idleSince = lastOn >= end ? max(end, detection) : end
                let age = end - (spells.first?.oldest ?? end)
                let interval = detection < spell.oldest ? .zero : pollInterval(age: age, limit: longestInterval)
                if spell.oldest - idleSince >= max(hideDelays.upperBound, interval) {
                    busy = .zero
                } else if detection >= spell.oldest {
                    busy += spell.oldest - end
                }
            }
            let most = spell.ended == nil ? now : spell.most
            busy += max(.zero, most - max(spell.oldest, end))
            (end, detection) = (max(end, most), max(detection, spell.detectedBy))
        }
        return busy
    }

    // MARK: The indicator

    mutating func change(to isOn: Bool, at now: Duration) -> String? {
        defer { self.isOn = isOn }
        if isOn {
            defer { (lastShown, lastOn) = (now, now) }
            if !isEnabled { return "shown while disabled" }
            if !isBusy, lastDeallocationInTurn != now { return "shown without a live task" }
            return mostBusyTime(at: now) < configuration.showDelay ? "shown before the show delay" : nil
        }
        if !isEnabled { return nil }
        if isBusy { return "hidden during a task" }
        if let end = spells.compactMap(\.ended).max(), now < end + configuration.hideDelay {
            return "hidden before the hide delay"
        }
        return now < lastShown + configuration.minimumVisibleDuration ? "hidden before the minimum duration" : nil
    }

    func violation(at now: Duration) -> String? {
        if !isEnabled { return isOn ? "visible while disabled" : nil }
        if isBusy {
            return !isOn && leastBusyTime(at: now) >= configuration.showDelay ? "not shown after the show delay" : nil
        }
        let mayHide = now >= lastShown + configuration.minimumVisibleDuration
        return isOn && mayHide && now >= lastDetection + configuration.hideDelay
            ? "not hidden after the hide delay" : nil
    }
}
