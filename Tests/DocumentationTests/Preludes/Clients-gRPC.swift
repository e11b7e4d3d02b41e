import NetworkIndicator

// GRPCCore 2
nonisolated struct MethodDescriptor: Sendable, CustomStringConvertible { var description: String { "" } }
nonisolated struct ClientContext: Sendable { var descriptor: MethodDescriptor }
nonisolated struct Metadata: Sendable {}
nonisolated struct RPCError: Error {}
nonisolated struct StreamingClientRequest<Message: Sendable>: Sendable {}
nonisolated struct RPCAsyncSequence<Element: Sendable, Failure: Error>: AsyncSequence, @unchecked Sendable {
    init<Source: AsyncSequence<Element, Failure>>(wrapping other: Source) where Source: Sendable {}
    func makeAsyncIterator() -> AsyncIterator { AsyncIterator() }
    struct AsyncIterator: AsyncIteratorProtocol {
        mutating func next(isolation actor: isolated (any Actor)?) async throws(Failure) -> Element? { nil }
        mutating func next() async throws -> Element? { nil }
    }
}
nonisolated struct StreamingClientResponse<Message: Sendable>: Sendable {
    struct Contents: Sendable {
        enum BodyPart: Sendable { case message(Message), trailingMetadata(Metadata) }
        var metadata: Metadata
        var bodyParts: RPCAsyncSequence<BodyPart, any Error>
    }
    var accepted: Result<Contents, RPCError>
}
nonisolated protocol ClientInterceptor: Sendable {
    func intercept<Input: Sendable, Output: Sendable>(
        request: StreamingClientRequest<Input>, context: ClientContext,
        next: (_ request: StreamingClientRequest<Input>, _ context: ClientContext) async throws
            -> StreamingClientResponse<Output>
    ) async throws -> StreamingClientResponse<Output>
}
