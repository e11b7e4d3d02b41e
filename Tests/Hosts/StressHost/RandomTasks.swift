import Foundation
import NetworkIndicator

final class RandomTasks: Sendable {
    private static let threads = 8
    private let operations: Int
    private let manager = NetworkIndicatorManager(configuration: .immediate)

    init(operations: Int) { self.operations = operations }

    private final class Token {}

    func run() {
        let group = DispatchGroup()
        for _ in 0..<Self.threads {
            group.enter()
            Thread.detachNewThread {
                self.work()
                group.leave()
            }
        }
        group.notify(queue: .global()) {
            Task { @MainActor in
                let count = self.manager.activeTaskCount
                try await self.manager.waitUntilIdle()
                print("left \(count), visible \(self.manager.isIndicatorVisible)")
                exit(0)
            }
        }
    }

    private func work() {
        var tokens: [Token] = []
        var opaque: [NetworkTaskToken] = []
        var count = 0
        for _ in 0..<(operations / Self.threads) {
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
