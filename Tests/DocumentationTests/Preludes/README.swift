import Foundation

final class Download {}
let download = Download()
let operation = BlockOperation {}
struct API: Sendable {
    func upload() async throws {}
    func users() async throws -> [String] { [] }
}
let api = API()
