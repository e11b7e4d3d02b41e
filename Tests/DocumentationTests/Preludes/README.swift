import Foundation

let operation = BlockOperation {}
struct API: Sendable {
    func users() async throws -> [String] { [] }
}
let api = API()
