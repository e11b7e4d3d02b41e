import AppleStubs
import Foundation

public typealias SignpostMetadata = OSLogMessage

public struct OSSignpostID: Equatable {
    public let rawValue: UInt64
    public init(_ value: UInt64) { rawValue = value }
    public static var exclusive: OSSignpostID { OSSignpostID(0xEEEE_B0B5_B2B2_EEEE) }
}

public final class OSSignpostIntervalState {
    let id: OSSignpostID
    init(_ id: OSSignpostID) { self.id = id }
    public static func beginState(id: OSSignpostID) -> OSSignpostIntervalState { OSSignpostIntervalState(id) }
}

// Not `Sendable`, as in some SDKs.
public struct OSSignposter {
    private final class Counter {
        let lock = NSLock()
        var last: UInt64 = 0
    }

    private let counter = Counter()

    public init(subsystem: String, category: String) {}

    public func makeSignpostID() -> OSSignpostID {
        counter.lock.withLock {
            counter.last += 1
            return OSSignpostID(counter.last)
        }
    }

    public func beginInterval(
        _ name: StaticString, id: OSSignpostID = .exclusive
    ) -> OSSignpostIntervalState {
        Journal.record("begin \(name) \(id.rawValue)")
        return .beginState(id: id)
    }

    public func beginInterval(
        _ name: StaticString, id: OSSignpostID = .exclusive, _ message: SignpostMetadata
    ) -> OSSignpostIntervalState {
        Journal.record("begin \(name) \(id.rawValue): \(message.text)")
        return .beginState(id: id)
    }

    public func endInterval(_ name: StaticString, _ state: OSSignpostIntervalState) {
        Journal.record("end \(name) \(state.id.rawValue)")
    }

    public func endInterval(_ name: StaticString, _ state: OSSignpostIntervalState, _ message: SignpostMetadata) {
        Journal.record("end \(name) \(state.id.rawValue): \(message.text)")
    }

    public func emitEvent(_ name: StaticString, id: OSSignpostID = .exclusive, _ message: SignpostMetadata) {
        Journal.record("event \(name) \(id.rawValue): \(message.text)")
    }
}
