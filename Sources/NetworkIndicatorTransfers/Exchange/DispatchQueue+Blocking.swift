import Dispatch

/// Calls that can block run on dispatch queues, because they must not block the threads of the cooperative pool.
extension DispatchQueue {
    /// The queue that creates and resumes tasks. On Linux, both wait while URLSession looks up a host for another task.
    static let urlSession = DispatchQueue(label: "NetworkIndicator.URLSession")

    /// - Parameter next: Called after `work`, while the caller may already continue.
    func run<Value: Sendable, Failure: Error>(
        _ work: @escaping @Sendable () throws(Failure) -> Value, then next: @escaping @Sendable () -> Void = {}
    ) async throws(Failure) -> Value {
        try await withCheckedContinuation { continuation in
            async {
                continuation.resume(returning: Result { () throws(Failure) in try work() })
                next()
            }
        }.get()
    }
}
