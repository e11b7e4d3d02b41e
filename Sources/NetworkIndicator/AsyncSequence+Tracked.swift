extension AsyncSequence {
    /// Returns a sequence that tracks each traversal of its elements as a task. Use this method for a response body
    /// that arrives in parts.
    ///
    /// ```swift
    /// for try await part in body.tracked(label: "Feed") {
    ///     print(part.count)
    /// }
    /// ```
    ///
    /// Each task begins when an iterator is created. The task ends when the iterator returns `nil`, throws, or is
    /// destroyed. In top-level code, Swift keeps the iterator of a loop alive, so `break` doesn't end the task there.
    /// The returned sequence has the same elements, and retains the manager.
    public func tracked(
        by manager: NetworkIndicatorManager = .shared, label: String? = nil, fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> TrackedAsyncSequence<Self> {
        TrackedAsyncSequence(base: self) { manager.beganNetworkTask(label: label, fileID: fileID, line: line) }
    }
}

/// A sequence that tracks each traversal of its elements as a task. To create one, call
/// ``_Concurrency/AsyncSequence/tracked(by:label:fileID:line:)``.
public struct TrackedAsyncSequence<Base: AsyncSequence>: AsyncSequence {
    public typealias Element = Base.Element
    @available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
    public typealias Failure = Base.Failure

    let base: Base
    let begin: @Sendable () -> NetworkTaskToken

    /// Begins a task, and returns an iterator. The task ends when the iterator returns `nil`, throws, or is destroyed.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(base: base.makeAsyncIterator(), token: begin())
    }

    /// The iterator of a ``TrackedAsyncSequence``.
    public struct AsyncIterator: AsyncIteratorProtocol {
        @available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
        public typealias Failure = Base.Failure

        var base: Base.AsyncIterator
        let token: NetworkTaskToken

        public mutating func next() async rethrows -> Base.Element? {
            var element: Base.Element?
            defer { if element == nil { token.finish() } }
            element = try await base.next()
            return element
        }

        @available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(Base.Failure) -> Base.Element? {
            var element: Base.Element?
            defer { if element == nil { token.finish() } }
            element = try await base.next(isolation: actor)
            return element
        }
    }
}

extension TrackedAsyncSequence: Sendable where Base: Sendable {}
