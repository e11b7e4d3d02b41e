import NetworkIndicator

// Vapor 4
struct URI: ExpressibleByStringLiteral, Sendable { init(stringLiteral value: String) {} }
struct ClientResponse: Sendable { var status = 200 }
protocol Client: Sendable {}
extension Client { func get(_ url: URI) async throws -> ClientResponse { ClientResponse() } }
struct VaporClient: Client {}
final class Application: Sendable { var client: any Client { VaporClient() } }

let app = Application()
