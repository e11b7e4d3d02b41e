import NetworkIndicator

/// Remembers what happened, as events and as a line for each.
final class RecordingMonitor: NetworkTaskMonitor {
    private let heard = Lock<[NetworkTaskEvent]>([])

    var events: [NetworkTaskEvent] { heard.withLock { $0 } }

    var misuses: [NetworkTaskMisuse] {
        events.compactMap { if case .misuse(let misuse) = $0 { misuse } else { nil } }
    }

    /// Such as "began A", "ended A finished", "still running A", "misuse unknownToken", "visible true".
    var log: [String] {
        events.map { event in
            switch event {
            case .began(let task): "began \(task.label ?? task.tokenType)"
            case .ended(let task, let end): "ended \(task.label ?? task.tokenType) \(end)"
            case .stillRunning(let task): "still running \(task.label ?? task.tokenType)"
            case .misuse(let misuse): "misuse \(misuse.kind)"
            case .visibilityChanged(let isVisible): "visible \(isVisible)"
            }
        }
    }

    func networkIndicator(_ event: NetworkTaskEvent) { heard.withLock { $0.append(event) } }
}
