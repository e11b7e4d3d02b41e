import Foundation
import NetworkIndicator

final class Token: Sendable {}

struct SilentMonitor: NetworkTaskMonitor {
    func receive(_ event: NetworkTaskEvent) {}
}

/// An object that only the thread that created it may deallocate.
final class OwnedObject: Sendable {
    private static let counts = Lock((living: 0, strays: 0))
    private let owner = ObjectIdentifier(Thread.current)

    static var living: Int { counts.withLock { $0.living } }

    static func printStrays() { print("deallocated elsewhere \(counts.withLock { $0.strays })") }

    init() { Self.counts.withLock { $0.living += 1 } }

    deinit {
        let isElsewhere = ObjectIdentifier(Thread.current) != owner
        Self.counts.withLock { counts in
            counts.living -= 1
            if isElsewhere { counts.strays += 1 }
        }
    }
}
