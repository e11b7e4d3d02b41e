import Foundation
import NetworkIndicator

#if canImport(FoundationNetworking)
@_exported import FoundationNetworking
#endif

// `@unchecked Sendable`: a lock guards the values.
class StubTask: URLSessionDataTask, @unchecked Sendable {
    private let values = Lock((state: URLSessionTask.State.suspended, received: Int64(0), reads: 0))

    /// Apple's SDKs deprecate the initializer of `URLSessionTask`.
    static func make() -> Self {
        #if canImport(ObjectiveC)
        unsafeDowncast((self as NSObject.Type).init(), to: self)
        #else
        self.init()
        #endif
    }

    #if !canImport(ObjectiveC)
    required override init() {}
    #endif

    override var state: URLSessionTask.State {
        values.withLock { values in
            values.reads += 1
            return values.state
        }
    }

    override var countOfBytesReceived: Int64 { values.withLock { $0.received } }
    override var countOfBytesSent: Int64 { 0 }
    override var response: URLResponse? { nil }
    override var originalRequest: URLRequest? { nil }

    var reads: Int { values.withLock { $0.reads } }

    func set(_ state: URLSessionTask.State) { values.withLock { $0.state = state } }

    func receive() { values.withLock { $0.received += 1 } }
}
