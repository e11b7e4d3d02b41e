import NetworkIndicator

// Vapor 4
nonisolated struct URI: ExpressibleByStringLiteral, Sendable { init(stringLiteral value: String) {} }
nonisolated struct ClientResponse: Sendable { var status = 200 }
nonisolated protocol Client: Sendable {}
nonisolated extension Client { func get(_ url: URI) async throws -> ClientResponse { ClientResponse() } }
nonisolated struct VaporClient: Client {}
nonisolated final class Application: Sendable { var client: any Client { VaporClient() } }

let app = Application()
