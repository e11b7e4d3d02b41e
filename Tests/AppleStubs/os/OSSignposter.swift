import AppleStubs

public typealias SignpostMetadata = OSLogMessage

public struct OSSignpostID: Equatable {
    public let rawValue: UInt64
    public init(_ value: UInt64) { rawValue = value }
    public static var exclusive: OSSignpostID { OSSignpostID(0xEEEE_B0B5_B2B2_EEEE) }
    public static var null: OSSignpostID { OSSignpostID(0) }
    public static var invalid: OSSignpostID { OSSignpostID(~0) }
}

public final class OSSignpostIntervalState {
    let id: OSSignpostID
    init(_ id: OSSignpostID) { self.id = id }
    public static func beginState(id: OSSignpostID) -> OSSignpostIntervalState { OSSignpostIntervalState(id) }
}

public struct OSSignposter {
    public init(subsystem: String, category: String) {}

    public func makeSignpostID() -> OSSignpostID { .null }

    private func record(_ line: String, _ id: OSSignpostID) {
        if id != .null, id != .invalid { Journal.record(line) }
    }

    public func beginInterval(
        _ name: StaticString, id: OSSignpostID = .exclusive
    ) -> OSSignpostIntervalState {
        record("begin \(name) \(id.rawValue)", id)
        return .beginState(id: id)
    }

    public func beginInterval(
        _ name: StaticString, id: OSSignpostID = .exclusive, _ message: SignpostMetadata
    ) -> OSSignpostIntervalState {
        record("begin \(name) \(id.rawValue): \(message.text)", id)
        return .beginState(id: id)
    }

    public func endInterval(_ name: StaticString, _ state: OSSignpostIntervalState) {
        record("end \(name) \(state.id.rawValue)", state.id)
    }

    public func endInterval(_ name: StaticString, _ state: OSSignpostIntervalState, _ message: SignpostMetadata) {
        record("end \(name) \(state.id.rawValue): \(message.text)", state.id)
    }

    public func emitEvent(_ name: StaticString, id: OSSignpostID = .exclusive, _ message: SignpostMetadata) {
        record("event \(name) \(id.rawValue): \(message.text)", id)
    }
}
