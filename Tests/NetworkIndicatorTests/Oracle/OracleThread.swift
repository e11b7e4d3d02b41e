import Dispatch
import NetworkIndicator

/// A thread that calls the manager, but owns none of the objects that conditions and indicators retain.
enum OracleThread {
    private static let key = DispatchSpecificKey<Bool>()
    private static let queue = {
        let queue = DispatchQueue(label: "OracleThread")
        queue.setSpecific(key: key, value: true)
        return queue
    }()

    static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == true }

    /// Blocks the calling thread until `body` has returned.
    static func run(_ body: @escaping @Sendable () -> Void) {
        let (isOver, call) = (DispatchSemaphore(value: 0), Lock<(@Sendable () -> Void)?>(body))
        queue.async {
            // The thread must not retain the closure after the signal.
            call.withLock { $0.take() }?()
            isOver.signal()
        }
        isOver.wait()
    }
}

/// Counts objects that the manager retains.
final class OracleCensus: Sendable {
    private let counts = Lock((living: 0, deallocatedElsewhere: 0))

    var living: Int { counts.withLock { $0.living } }
    var deallocatedElsewhere: Int { counts.withLock { $0.deallocatedElsewhere } }

    final class Member: Sendable {
        private let census: OracleCensus

        init(of census: OracleCensus) {
            self.census = census
            census.counts.withLock { $0.living += 1 }
        }

        deinit {
            let isElsewhere = OracleThread.isCurrent
            census.counts.withLock { counts in
                counts.living -= 1
                if isElsewhere { counts.deallocatedElsewhere += 1 }
            }
        }
    }
}
