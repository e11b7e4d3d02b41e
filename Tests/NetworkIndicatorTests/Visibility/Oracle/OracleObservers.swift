import NetworkIndicator

/// A caller's object. Some objects finish themselves in their `deinit`.
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
    private let duringSetVisible: @MainActor () -> Void

    init(clock: OracleClock, duringSetVisible: @escaping @MainActor () -> Void = {}) {
        self.clock = clock
        self.duringSetVisible = duringSetVisible
    }

    var isVisible: Bool { changes.last?.isVisible ?? false }

    func setVisible(_ isVisible: Bool) {
        if isVisible == self.isVisible { violation = "an indicator received \(isVisible) twice in a row" }
        changes.append(.init(tick: clock.tickCount, isVisible: isVisible))
        duringSetVisible()
    }
}

/// Checks that each task begins once, ends at most once, and is reported at most once in between.
final class OracleMonitor: NetworkTaskMonitor {
    struct Received {
        var open: [UInt64: SuspendingClock.Instant] = [:]
        var reported: Set<UInt64> = []
        var lastID: UInt64 = 0
        var misuses = 0
        var visibility: [Bool] = []
        var violation: String?
    }

    private let state = Lock(Received())
    var received: Received { state.withLock { $0 } }

    func networkIndicator(_ event: NetworkTaskEvent) {
        state.withLock { received in
            switch event {
            case .began(let info):
                if info.id <= received.lastID { received.violation = "began \(info.id) after \(received.lastID)" }
                received.lastID = info.id
                received.open[info.id] = info.began
            case .ended(let info, _):
                if received.open.removeValue(forKey: info.id) == nil {
                    received.violation = "received the end of \(info.id), which was no task"
                }
            case .stillRunning(let info):
                if received.open[info.id] == nil || !received.reported.insert(info.id).inserted {
                    received.violation = "\(info.id) was reported as still running twice, or after its end"
                }
            case .misuse:
                received.misuses += 1
            case .visibilityChanged(let isVisible):
                received.visibility.append(isVisible)
            }
        }
    }
}
