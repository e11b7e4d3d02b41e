import Foundation
import NetworkIndicator

final class Token: Sendable {}

enum PairRows {
    static var all: [Row] {
        [100, 10_000, 1_000_000].map { live in
            Row(name: "weak.begin-finish", live: live, method: .pairs { weak(live) })
        } + [
            Row(name: "baseline.weak-filter", live: 10_000, method: .pairs { weakFilter(10_000) }),
            Row(name: "opaque.begin-finish", live: 100, method: .pairs { opaque(100) }),
            Row(name: "count.inc-dec", live: 100, method: .pairs { count(100) }),
            Row(name: "baseline.id-set", live: 100, method: .pairs { idSet(100) }),
        ]
    }

    static func weak(_ live: Int) -> Pairs {
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
    private static func pair(of token: Token, _ manager: NetworkIndicatorManager) {
        manager.beganNetworkTask(withToken: token)
        manager.finishedNetworkTask(forToken: token)
    }

    private static func opaque(_ live: Int) -> Pairs {
        let manager = NetworkIndicatorManager()
        let tokens = (0..<live).map { _ in manager.beganNetworkTask() }
        return { count in
            for _ in 0..<count {
                let token = manager.beganNetworkTask()
                token.finish()
            }
            withExtendedLifetime(tokens) {}
        }
    }

    private static func count(_ live: Int) -> Pairs {
        let manager = NetworkIndicatorManager()
        for _ in 0..<live { manager.incrementActivityCount() }
        return { count in
            for _ in 0..<count {
                manager.incrementActivityCount()
                manager.decrementActivityCount()
            }
        }
    }

    // MARK: Baselines

    private static func weakFilter(_ live: Int) -> Pairs {
        let tokens = (0..<live).map { _ in Token() }
        let filter = WeakFilter(tokens)
        return { count in
            for _ in 0..<count { pair(of: Token(), filter) }
            withExtendedLifetime(tokens) {}
        }
    }

    @inline(never)
    private static func pair(of token: Token, _ filter: WeakFilter) {
        filter.begin(token)
        filter.finish(token)
    }

    /// Creating a UUID costs ten times as much as a pair of calls, so the identifiers are created in advance. There are
    /// 64 identifiers, because the cost of a pair depends on the identifier's hash. With only one, the cost varied from
    /// 217 ns to 330 ns.
    private static func idSet(_ live: Int) -> Pairs {
        let set = IDSet(live)
        let ids = (0..<64).map { _ in UUID().uuidString }
        return { count in
            for id in ids {
                for _ in 0..<max(1, count / ids.count) {
                    set.begin(id)
                    set.finish(id)
                }
            }
        }
    }
}
