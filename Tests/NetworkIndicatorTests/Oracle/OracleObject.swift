import NetworkIndicator

@MainActor
final class OracleObject {
    @MainActor final class Flag { var value = true }

    /// Stands for a screen that tracks its socket, and an operation with a condition that captures the screen.
    final class Screen: Sendable {
        private let socket: OracleObject?
        private let member: OracleCensus.Member

        init(socket: OracleObject?, _ census: OracleCensus) {
            self.socket = socket
            member = OracleCensus.Member(of: census)
        }
    }

    typealias Captured = any AnyObject & Sendable
    typealias Run = (@escaping @Sendable () -> Void) -> Void

    let name: String
    let kind: OracleScript.Kind
    private(set) var isUnderWay = Flag()
    private var token: NetworkTaskToken?
    private let manager: @Sendable () -> NetworkIndicatorManager?
    private let member: OracleCensus.Member
    private let willEnd: @MainActor @Sendable (String, OracleScript.Kind) -> Void

    init(
        _ name: String, _ kind: OracleScript.Kind, _ manager: NetworkIndicatorManager, _ census: OracleCensus,
        willEnd: @escaping @MainActor @Sendable (String, OracleScript.Kind) -> Void
    ) {
        (self.name, self.kind, self.willEnd) = (name, kind, willEnd)
        self.manager = { [weak manager] in manager }
        member = OracleCensus.Member(of: census)
    }

    deinit {
        if OracleThread.isCurrent { return }
        MainActor.assumeIsolated { [name, kind, willEnd] in willEnd(name, kind) }
        if kind == .selfFinishing { manager()?.finishedNetworkTask(forToken: self) }
    }

    /// - Parameters:
    ///   - captured: An object that the condition of a conditional task retains.
    ///   - run: Calls the manager, on any thread.
    func begin(
        _ manager: NetworkIndicatorManager, capturing captured: Captured?, run: Run,
        inCondition: @escaping @MainActor @Sendable () -> Void
    ) {
        switch kind {
        case .object, .selfFinishing: run { manager.beganNetworkTask(withToken: self, label: self.name) }
        case .conditional:
            isUnderWay.value = false
            isUnderWay = Flag()
            let isUnderWay = isUnderWay
            run {
                manager.beganNetworkTask(withToken: self, label: self.name) { _ in
                    withExtendedLifetime(captured) {
                        inCondition()
                        return isUnderWay.value
                    }
                }
            }
        case .opaque: token = manager.beganNetworkTask(label: name)
        case .counted: run { manager.incrementActivityCount() }
        }
    }

    func finish(_ manager: NetworkIndicatorManager, run: Run) {
        switch kind {
        case .object, .selfFinishing, .conditional: run { manager.finishedNetworkTask(forToken: self) }
        case .opaque: run { [token] in token?.finish() }
        case .counted: run { manager.decrementActivityCount() }
        }
    }
}
