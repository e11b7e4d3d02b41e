import NetworkIndicator

struct Article: Identifiable, Sendable {
    let id: Int
    let title: String
}
func fetchArticles() async throws -> [Article] { [] }
