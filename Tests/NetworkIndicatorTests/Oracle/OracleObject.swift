import NetworkIndicator

@MainActor
final class OracleObject {
    @MainActor final class Flag { var value = true }

    let name: String
    let kind: OracleScript.Kind
    private(set) var isUnderWay = Flag()
    private var token: NetworkTaskToken?
    private let manager: @Sendable () -> NetworkIndicatorManager?

    init(_ name: String, _ kind: OracleScript.Kind, _ manager: NetworkIndicatorManager) {
        (self.name, self.kind) = (name, kind)
        self.manager = { [weak manager] in manager }
    }

    deinit { if kind == .selfFinishing { manager()?.finishedNetworkTask(forToken: self) } }

    func begin(_ manager: NetworkIndicatorManager, inCondition: @escaping @MainActor @Sendable () -> Void) {
        switch kind {
        case .object, .selfFinishing: manager.beganNetworkTask(withToken: self, label: name)
        case .conditional:
            isUnderWay.value = false
            isUnderWay = Flag()
            let isUnderWay = isUnderWay
            manager.beganNetworkTask(withToken: self, label: name) { _ in
                MainActor.assumeIsolated {
                    inCondition()
                    return isUnderWay.value
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
