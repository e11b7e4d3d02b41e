import Foundation

let operation = BlockOperation {}
let url = URL(filePath: "/dev/null")
struct API: Sendable {
    func users() async throws -> [String] { [] }
}
let api = API()
