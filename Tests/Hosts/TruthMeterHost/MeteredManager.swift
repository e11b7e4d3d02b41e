import Dispatch
import NetworkIndicator

/// A manager that the meter can test.
protocol MeteredManager: Sendable {
    /// Begins a task of some kind.
    ///
    /// - Returns: A closure that ends it. The manager may detect the end later.
    func begin(_ kind: TaskKind) -> () -> Void
    var isVisible: Bool { get }
}

enum TaskKind: CaseIterable, Sendable {
    case droppedObject, finishedObject, droppedToken, finishedToken, counted
}

/// The indicator that the meter reads.
final class MeteredIndicator: ActivityIndicator {
    private let state = Lock(false)
    nonisolated init() {}
    nonisolated var isVisible: Bool { state.withLock { $0 } }
    func setVisible(_ isVisible: Bool) { state.withLock { $0 = isVisible } }
}

/// The manager under test.
struct RealManager: MeteredManager {
    private let manager: NetworkIndicatorManager
    private let indicator = MeteredIndicator()

    init(configuration: NetworkIndicatorManager.Configuration) {
        manager = NetworkIndicatorManager(configuration: configuration)
        manager.attach(indicator)
    }

    var isVisible: Bool { indicator.isVisible }

    private final class Object {}

    func begin(_ kind: TaskKind) -> () -> Void {
        switch kind {
        case .droppedObject:
            var object: Object? = Object()
            manager.beganNetworkTask(withToken: object!)
            return { object = nil }
        case .finishedObject:
            let object = Object()
            manager.beganNetworkTask(withToken: object)
            return { [manager] in manager.finishedNetworkTask(forToken: object) }
        case .droppedToken:
            var token: NetworkTaskToken? = manager.beganNetworkTask()
            withExtendedLifetime(token) {}
            return { token = nil }
        case .finishedToken:
            let token = manager.beganNetworkTask()
            return { token.finish() }
        case .counted:
            manager.incrementActivityCount()
            return { [manager] in manager.decrementActivityCount() }
        }
    }
}

/// The control: counts correctly, but sends edges to the main thread as values, and each end overtakes its begin. After
/// the first task, it is on for ever. The meter must reject it in each run.
struct EdgeTriggeredManager: MeteredManager {
    private let count = Lock(0)
    private let shown = Lock(false)

    var isVisible: Bool { shown.withLock { $0 } }

    func begin(_ kind: TaskKind) -> () -> Void {
        change(by: 1)
        return { change(by: -1) }
    }

    private func change(by difference: Int) {
        let isBusy: Bool? = count.withLock { count in
            let wasBusy = count > 0
            count += difference
            return (count > 0) == wasBusy ? nil : count > 0
        }
        guard isBusy == false else { return }
        for value in [false, true] { DispatchQueue.main.async { shown.withLock { $0 = value } } }
    }
}
