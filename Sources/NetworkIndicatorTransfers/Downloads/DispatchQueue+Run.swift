import Dispatch

extension DispatchQueue {
    /// Runs work that can block, because such work must not block a thread of the cooperative pool.
    func run<Value: Sendable, Failure: Error>(_ work: @escaping @Sendable () throws(Failure) -> Value)
        async throws(Failure) -> Value
    {
        try await withCheckedContinuation { continuation in
            async { continuation.resume(returning: Result { () throws(Failure) in try work() }) }
        }.get()
    }
}
