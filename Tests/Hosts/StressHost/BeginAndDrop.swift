import Foundation
import NetworkIndicator

/// Begins and deallocates very many tokens beside a live one. Their entries must not accumulate, even without a poll.
final class BeginAndDrop: Sendable {
    private let count: Int

    init(count: Int) { self.count = count }

    private final class Token {}

    func run() {
        let count = count
        Thread.detachNewThread {
            var configuration = NetworkIndicatorManager.Configuration.standard
            configuration.completionCheckInterval = .seconds(1_000_000)
            let manager = NetworkIndicatorManager(configuration: configuration)
            let token = Token()
            manager.beganNetworkTask(withToken: token)
            // Up to 200 tokens are held at a time. Other objects take the addresses of deallocated tokens, because a begin
            // at the address of one removes its entry.
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
                    // A turn that has been requested runs first.
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
