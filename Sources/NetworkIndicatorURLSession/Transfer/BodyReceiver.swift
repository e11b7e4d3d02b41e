import Foundation
import NetworkIndicator

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Receives an answer. The methods are called on the delegate queue, one at a time.
protocol BodyReceiver: AnyObject, Sendable {
    /// Receives the head of the answer. If an answer asks for credentials, this is called again for the next one.
    func begin(_ response: URLResponse) throws -> BodyUse
    func write(_ data: Data) throws
    /// Completes the body.
    func end() throws
    /// The progress of the body.
    var progress: TransferProgress { get }
}

/// How an exchange treats the body of an answer.
enum BodyUse {
    case receive
    /// Ignore the body, because the status is enough.
    case ignore
    /// The answer doesn't continue the existing part. Repeat the request for the whole file.
    case startOver
}

/// Collects a body in memory.
final class DataReceiver: BodyReceiver {
    private struct State {
        var data = Data()
        var total: Int64?
    }

    private let state = Lock(State())
    private let onProgress: @Sendable (TransferProgress) -> Void

    init(onProgress: @escaping @Sendable (TransferProgress) -> Void) {
        self.onProgress = onProgress
    }

    func begin(_ response: URLResponse) -> BodyUse {
        let total = response.identityLength
        let replaced = state.withLock { state in
            defer {
                state = State(total: total)
                // A server can announce any length, so at most half a gigabyte is reserved in advance.
                state.data.reserveCapacity(Int(min(total ?? 0, 1 << 29)))
            }
            return state.data
        }
        withExtendedLifetime(replaced) {}
        return .receive
    }

    func write(_ data: Data) {
        state.withLock { $0.data.append(data) }
        onProgress(progress)
    }

    func end() {}

    var progress: TransferProgress {
        state.withLock { TransferProgress(completedBytes: Int64($0.data.count), totalBytes: $0.total) }
    }

    /// Takes the received data.
    func take() -> Data {
        state.withLock { state in
            defer { state.data = Data() }
            return state.data
        }
    }
}

extension URLResponse {
    /// The length of the body, unless it is unknown or counts compressed bytes.
    var identityLength: Int64? {
        let encoding = (self as? HTTPURLResponse)?.value(forHTTPHeaderField: "Content-Encoding")
        guard encoding?.lowercased() ?? "identity" == "identity", expectedContentLength >= 0 else { return nil }
        return expectedContentLength
    }
}
