import Foundation
import NetworkIndicator

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What becomes of an answer. Its methods are called on the delegate queue, one at a time.
protocol BodyReceiver: AnyObject, Sendable {
    /// Called for the answer's head: again where an earlier answer asked for credentials.
    func begin(_ response: URLResponse) throws -> BodyUse
    func write(_ data: Data) throws
    /// Called when the body is complete.
    func end() throws
    /// How much has been received of what is known to come.
    var progress: TransferProgress { get }
}

/// What is to be done with the body of an answer.
enum BodyUse {
    case receive
    /// The status says everything.
    case ignore
    /// The answer doesn't continue the part at hand: make the request again, for the whole.
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
                // A length is what a server says. Half a gigabyte of it is believed in advance.
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

    /// Takes what has been received.
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
