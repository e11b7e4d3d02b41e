import Dispatch
import NetworkIndicator

/// A caller's object.
final class Token: Sendable {}

/// Begin and end, in every way there is, and what an app can have instead.
enum PairBenchmarks {
    private static let liveCounts = [0, 100, 10_000, 1_000_000]

    /// In an order that keeps what is compared close together in time.
    static var all: [Benchmark] {
        liveCounts.flatMap { live in
            // The same managers for one thread and for two. Not for either way to end a task: releasing leaves dead
            // entries behind, and finishing is to be measured without them.
            let finishing = Shared { Managed.weak(live) }
            let releasing = Shared { Managed.weak(live) }
            let opaque = Shared { Managed.opaque(live) }
            return [1, 2].flatMap { threads -> [Benchmark] in
                func row(_ name: String, _ make: @escaping @Sendable () -> Pairs) -> Benchmark {
                    Benchmark(name: name, live: live, threads: threads, measurement: .pairs(make))
                }
                return [
                    row("weak.begin-finish") { beginFinish(finishing.value) },
                    row("weak.begin-release") { beginRelease(releasing.value) },
                    row("baseline.weak-filter.begin-finish") { weakFilter(live) },
                    row("baseline.main-queue-counter") { mainQueueCounter(live) },
                    row("opaque.begin-finish") { opaqueBeginFinish(opaque.value) },
                    row("scoped") { scoped(opaque.value) },
                    row("count.inc-dec") { incrementDecrement(live) },
                    row("baseline.locked-counter") { lockedCounter(live) },
                ]
            }
        }
    }

    // A pair begins with a new object, as in life: the first weak reference to an object is the expensive one.

    private static func beginFinish(_ managed: Managed) -> Pairs {
        { count in
            for _ in 0..<count { pair(of: Token(), managed.manager) }
        }
    }

    /// A function of its own, so that the loop has no references of its own to count.
    @inline(never)
    private static func pair(of token: Token, _ manager: NetworkIndicatorManager) {
        manager.beganNetworkTask(withToken: token)
        manager.finishedNetworkTask(forToken: token)
    }

    private static func beginRelease(_ managed: Managed) -> Pairs {
        { count in
            let manager = managed.manager
            for _ in 0..<count { manager.beganNetworkTask(withToken: Token()) }
        }
    }

    private static func opaqueBeginFinish(_ managed: Managed) -> Pairs {
        { count in
            let manager = managed.manager
            for _ in 0..<count {
                let token = manager.beganNetworkTask()
                token.finish()
            }
        }
    }

    private static func scoped(_ managed: Managed) -> Pairs {
        { count in
            let done = DispatchSemaphore(value: 0)
            Task.detached {
                let manager = managed.manager
                for _ in 0..<count { await manager.withNetworkTask {} }
                done.signal()
            }
            done.wait()
        }
    }

    private static func incrementDecrement(_ live: Int) -> Pairs {
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

    private static func mainQueueCounter(_ live: Int) -> Pairs {
        let counter = MainQueueCounter(live)
        return { count in
            for _ in 0..<count {
                counter.increment()
                counter.decrement()
            }
        }
    }

    private static func lockedCounter(_ live: Int) -> Pairs {
        let counter = LockedCounter(live)
        return { count in
            for _ in 0..<count {
                counter.increment()
                counter.decrement()
            }
        }
    }
}

/// A manager, and the tokens that keep its tasks alive.
final class Managed: Sendable {
    let manager = NetworkIndicatorManager()
    private let tokens: [any AnyObject & Sendable]

    private init(_ begin: (NetworkIndicatorManager) -> [any AnyObject & Sendable]) { tokens = begin(manager) }

    static func weak(_ live: Int) -> Managed {
        Managed { manager in
            (0..<live).map { _ in
                let token = Token()
                manager.beganNetworkTask(withToken: token)
                return token
            }
        }
    }

    static func opaque(_ live: Int) -> Managed {
        Managed { manager in (0..<live).map { _ in manager.beganNetworkTask() } }
    }
}

/// A value made when it is first asked for.
final class Shared<Value: Sendable>: Sendable {
    private let make: @Sendable () -> Value
    private let made = Lock<Value?>(nil)

    init(_ make: @escaping @Sendable () -> Value) { self.make = make }

    /// Not from several threads at once: it would be made more than once.
    var value: Value {
        if let value = made.withLock({ $0 }) { return value }
        let value = make()
        made.withLock { $0 = value }
        return value
    }
}
