import NetworkIndicator

@MainActor
final class OracleObject {
    @MainActor final class Flag { var value = true }

    /// Stands for a screen that tracks its socket, and an operation with a condition that captures the screen.
    final class Screen: Sendable {
        private let socket: OracleObject
        init(socket: OracleObject) { self.socket = socket }
    }

    typealias Captured = any AnyObject & Sendable

    let name: String
    let kind: OracleScript.Kind
    private(set) var isUnderWay = Flag()
    private var token: NetworkTaskToken?
    private let manager: @Sendable () -> NetworkIndicatorManager?
    private let willEnd: @MainActor @Sendable (String, OracleScript.Kind) -> Void

    init(
        _ name: String, _ kind: OracleScript.Kind, _ manager: NetworkIndicatorManager,
        willEnd: @escaping @MainActor @Sendable (String, OracleScript.Kind) -> Void
    ) {
        (self.name, self.kind, self.willEnd) = (name, kind, willEnd)
        self.manager = { [weak manager] in manager }
    }

    deinit {
        MainActor.assumeIsolated { [name, kind, willEnd] in willEnd(name, kind) }
        if kind == .selfFinishing { manager()?.finishedNetworkTask(forToken: self) }
    }

    /// - Parameter captured: An object that the condition of a conditional task retains.
    func begin(
        _ manager: NetworkIndicatorManager, capturing captured: Captured?,
        inCondition: @escaping @MainActor @Sendable () -> Void
    ) {
        switch kind {
        case .object, .selfFinishing: manager.beganNetworkTask(withToken: self, label: name)
        case .conditional:
            isUnderWay.value = false
            isUnderWay = Flag()
            let isUnderWay = isUnderWay
            manager.beganNetworkTask(withToken: self, label: name) { _ in
                withExtendedLifetime(captured) {
                    MainActor.assumeIsolated {
                        inCondition()
                        return isUnderWay.value
                    }
                }
            }
        case .opaque: token = manager.beganNetworkTask(label: name)
        case .counted: manager.incrementActivityCount()
        }
    }

    func finish(_ manager: NetworkIndicatorManager) {
        switch kind {
        case .object, .selfFinishing, .conditional: manager.finishedNetworkTask(forToken: self)
        case .opaque: token?.finish()
        case .counted: manager.decrementActivityCount()
        }
    }
}
