public import Foundation
import NetworkIndicator

#if canImport(FoundationNetworking)
@_exported public import FoundationNetworking
#endif

/// A task whose state and numbers the test sets. `@unchecked Sendable`: a lock guards the values.
open class StubTask: URLSessionDataTask, @unchecked Sendable {
    private struct Values {
        var state = URLSessionTask.State.suspended
        var (received, expected) = (Int64(0), Int64(0))
        var error: URLError?
        var reads = 0
    }

    private let values = Lock(Values())

    /// Apple's SDKs deprecate the initializer of `URLSessionTask`.
    public static func make() -> Self {
        #if canImport(ObjectiveC)
        unsafeDowncast((self as NSObject.Type).init(), to: self)
        #else
        self.init()
        #endif
    }

    #if !canImport(ObjectiveC)
    public required override init() {}
    #endif

    open override var state: URLSessionTask.State {
        values.withLock { values in
            values.reads += 1
            return values.state
        }
    }

    open override var error: (any Error)? { values.withLock(\.error) }
    open override var countOfBytesReceived: Int64 { values.withLock(\.received) }
    open override var countOfBytesExpectedToReceive: Int64 { values.withLock(\.expected) }
    open override var countOfBytesSent: Int64 { 0 }
    open override var response: URLResponse? { nil }
    open override var originalRequest: URLRequest? { nil }

    /// How often the state was read.
    public var reads: Int { values.withLock(\.reads) }

    public func set(
        _ state: URLSessionTask.State, received: Int64? = nil, of expected: Int64 = 0, error: URLError? = nil
    ) {
        values.withLock { values in
            values.received = received ?? values.received
            (values.state, values.expected, values.error) = (state, expected, error)
        }
    }

    public func receive() { values.withLock { $0.received += 1 } }
}
