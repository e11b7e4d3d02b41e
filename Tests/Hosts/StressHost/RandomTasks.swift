import NetworkIndicator

final class RandomTasks: Sendable {
    private let operations: Int
    private let manager = NetworkIndicatorManager(configuration: .immediate)

    init(operations: Int) { self.operations = operations }

    func run() {
        onThreads(8) { _ in
            self.work()
        } then: {
            Task { try await exitWhenIdle(self.manager) }
        }
    }

    private func work() {
        var tokens: [Token] = []
        var opaque: [NetworkTaskToken] = []
        var count = 0
        for _ in 0..<(operations / 8) {
            switch Int.random(in: 0..<8) {
            case 0, 1:
                let token = Token()
                manager.beganNetworkTask(withToken: token)
                if tokens.count < 100 { tokens.append(token) }
            case 2:
                if let token = tokens.popLast() { manager.finishedNetworkTask(forToken: token) }
            case 3:
                if !tokens.isEmpty { tokens.remove(at: Int.random(in: tokens.indices)) }
            case 4:
                let token = manager.beganNetworkTask()
                if opaque.count < 100 { opaque.append(token) }
            case 5:
                if let token = opaque.popLast() { manager.finishedNetworkTask(forToken: token) }
            case 6:
                manager.incrementActivityCount()
                count += 1
            default:
                if count > 0 {
                    manager.decrementActivityCount()
                    count -= 1
                }
            }
        }
        for _ in 0..<count { manager.decrementActivityCount() }
    }
}
