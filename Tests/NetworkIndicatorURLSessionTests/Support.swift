import Foundation
import NetworkIndicator

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A clock that stands still until a test advances it.
final class ManualClock: Sendable {
    private let time = Lock(Duration.zero)

    var now: @Sendable () -> Duration { { self.time.withLock { $0 } } }

    func advance(by duration: Duration) { time.withLock { $0 += duration } }
}

struct WeakTask {
    weak var task: URLSessionTask?
}
