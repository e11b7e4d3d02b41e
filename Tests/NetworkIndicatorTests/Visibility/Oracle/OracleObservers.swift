import NetworkIndicator

/// A caller's object. Some finish themselves in their `deinit`.
final class OracleToken {
    private weak var manager: NetworkIndicatorManager?

    init(finishing manager: NetworkIndicatorManager?) { self.manager = manager }

    deinit { manager?.finishedNetworkTask(forToken: self) }
}

/// Records each change and its time, and runs a step within the call.
final class OracleIndicator: ActivityIndicator {
    private(set) var changes: [OracleReference.Change] = []
    private(set) var violation: String?
    private let clock: OracleClock
    private let whenTold: @MainActor () -> Void

    init(clock: OracleClock, whenTold: @escaping @MainActor () -> Void = {}) {
        self.clock = clock
        self.whenTold = whenTold
    }

    var isVisible: Bool { changes.last?.isVisible ?? false }

    func setVisible(_ isVisible: Bool) {
        if isVisible == self.isVisible { violation = "an indicator was told \(isVisible) twice in a row" }
        changes.append(.init(tick: clock.tickCount, isVisible: isVisible))
        whenTold()
    }
}

/// Checks the events: each task begins once, ends at most once, and is reported at most once in between.
final class OracleMonitor: NetworkTaskMonitor {
    struct Heard {
        var open: [UInt64: SuspendingClock.Instant] = [:]
        var reported: Set<UInt64> = []
        var lastID: UInt64 = 0
        var misuses = 0
        var visibility: [Bool] = []
        var violation: String?
    }

    private let state = Lock(Heard())
    var heard: Heard { state.withLock { $0 } }

    func networkIndicator(_ event: NetworkTaskEvent) {
        state.withLock { heard in
            switch event {
            case .began(let info):
                if info.id <= heard.lastID { heard.violation = "began \(info.id) after \(heard.lastID)" }
                heard.lastID = info.id
                heard.open[info.id] = info.began
            case .ended(let info, _):
                if heard.open.removeValue(forKey: info.id) == nil {
                    heard.violation = "heard the end of \(info.id), which was no task"
                }
            case .stillRunning(let info):
                if heard.open[info.id] == nil || !heard.reported.insert(info.id).inserted {
                    heard.violation = "\(info.id) was reported as still running twice, or after its end"
                }
            case .misuse:
                heard.misuses += 1
            case .visibilityChanged(let isVisible):
                heard.visibility.append(isVisible)
            }
        }
    }
}
