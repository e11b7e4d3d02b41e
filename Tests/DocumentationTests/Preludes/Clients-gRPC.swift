import NetworkIndicator

// GRPCCore 2
struct MethodDescriptor: Sendable, CustomStringConvertible { var description: String { "" } }
struct ClientContext: Sendable { var descriptor: MethodDescriptor }
struct Metadata: Sendable {}
struct RPCError: Error {}
struct StreamingClientRequest<Message: Sendable>: Sendable {}
struct RPCAsyncSequence<Element: Sendable, Failure: Error>: AsyncSequence, @unchecked Sendable {
    init<Source: AsyncSequence<Element, Failure>>(wrapping other: Source) where Source: Sendable {}
    func makeAsyncIterator() -> AsyncIterator { AsyncIterator() }
    struct AsyncIterator: AsyncIteratorProtocol {
        mutating func next(isolation actor: isolated (any Actor)?) async throws(Failure) -> Element? { nil }
        mutating func next() async throws -> Element? { nil }
    }
}
struct StreamingClientResponse<Message: Sendable>: Sendable {
    struct Contents: Sendable {
        enum BodyPart: Sendable { case message(Message), trailingMetadata(Metadata) }
        var metadata: Metadata
        var bodyParts: RPCAsyncSequence<BodyPart, any Error>
    }
    var accepted: Result<Contents, RPCError>
}
protocol ClientInterceptor: Sendable {
    func intercept<Input: Sendable, Output: Sendable>(
        request: StreamingClientRequest<Input>, context: ClientContext,
        next: (_ request: StreamingClientRequest<Input>, _ context: ClientContext) async throws
            -> StreamingClientResponse<Output>
    ) async throws -> StreamingClientResponse<Output>
}
