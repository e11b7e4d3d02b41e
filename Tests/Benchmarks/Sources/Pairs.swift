import Foundation
import NetworkIndicator

final class Token: Sendable {}

/// Begins and finishes a task the given number of times.
typealias Pairs = (_ count: Int) -> Void

func weakPairs(live: Int) -> Pairs {
    let manager = NetworkIndicatorManager()
    let tokens = (0..<live).map { _ in Token() }
    for token in tokens { manager.beganNetworkTask(withToken: token) }
    return { count in
        for _ in 0..<count { pair(of: Token(), manager) }
        withExtendedLifetime(tokens) {}
    }
}

/// If this function were inlined, the loop would also retain and release the token.
@inline(never)
private func pair(of token: Token, _ manager: NetworkIndicatorManager) {
    manager.beganNetworkTask(withToken: token)
    manager.finishedNetworkTask(forToken: token)
}

func opaquePairs(live: Int) -> Pairs {
    let manager = NetworkIndicatorManager()
    let tokens = (0..<live).map { _ in manager.beganNetworkTask() }
    return { count in
        for _ in 0..<count { manager.beganNetworkTask().finish() }
        withExtendedLifetime(tokens) {}
    }
}

/// A set of request identifiers behind a lock, as in AlamofireNetworkActivityIndicator 3.
///
/// Creating a UUID costs ten times as much as a pair of calls, so the identifiers are created in advance. There are 64
/// identifiers, because the cost of a pair depends on the identifier's hash.
func setPairs(live: Int) -> Pairs {
    let lock = NSLock()
    var set = Set((0..<live).map { _ in UUID().uuidString })
    let ids = (0..<64).map { _ in UUID().uuidString }
    return { count in
        for id in ids {
            for _ in 0..<max(1, count / ids.count) {
                lock.withLock { _ = set.insert(id) }
                lock.withLock { _ = set.remove(id) }
            }
        }
    }
}

/// Returns the median ratio of the times of rounds in which both sides take turns, so that a disturbance affects both.
func ratio(_ left: Pairs, _ right: Pairs) -> Double {
    func seconds(_ pairs: Pairs, _ count: Int) -> Double {
        pairs(count / 16)  // warm-up
        DispatchQueue.main.sync {}
        return ContinuousClock().measure { pairs(count) } / .seconds(1)
    }
    var count = 1_024
    while seconds(left, count) < 0.02 { count *= 2 }
    return median(of: 15) { seconds(left, count) / seconds(right, count) }
}

func median(of rounds: Int, _ measure: () -> Double) -> Double {
    let values = (0..<(Benchmark.isQuick ? 1 : rounds)).map { _ in measure() }.sorted()
    return values[values.count / 2]
}
