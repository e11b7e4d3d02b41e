import Dispatch

/// Calls that can block run on these queues, because they must not block the threads of the cooperative pool.
extension DispatchQueue {
    /// The queue that creates and resumes tasks. On Linux, both wait while URLSession looks up a host for another task.
    static let urlSession = DispatchQueue(label: "NetworkIndicator.URLSession")

    /// The queue for short file operations. These operations have their own queue, because a blocked URLSession must
    /// not prevent the end of a download.
    static let files = DispatchQueue(label: "NetworkIndicator.Files")

    func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            async { continuation.resume(with: Result { try work() }) }
        }
    }
}
