import Foundation
import NetworkIndicator

final class BeginAndDrop: Sendable {
    private let count: Int

    init(count: Int) { self.count = count }

    func run() {
        let count = count
        Thread.detachNewThread {
            var configuration = NetworkIndicatorManager.Configuration.standard
            configuration.completionCheckInterval = .seconds(1_000_000)
            let manager = NetworkIndicatorManager(configuration: configuration)
            let token = Token()
            manager.beganNetworkTask(withToken: token)
            // A new token at the address of a deallocated token would replace that token's entry, so the objects in
            // `others` occupy these addresses.
            var (held, others): ([Token], [Token]) = ([], [])
            var most = 0
            for number in 0..<count {
                let token = Token()
                manager.beganNetworkTask(withToken: token)
                held.append(token)
                if held.count == 200 {
                    held.removeAll(keepingCapacity: true)
                    if others.count > 100_000 { others.removeAll(keepingCapacity: true) }
                    for _ in 0..<200 { others.append(Token()) }
                    DispatchQueue.main.sync {}
                }
                if number % 1000 == 0 {
                    most = max(most, manager.entryCount)
                }
            }
            held = []
            let left = manager.entryCount
            print("entries left \(left), at most \(most)")
            withExtendedLifetime(token) {}
            exit(0)
        }
    }
}
