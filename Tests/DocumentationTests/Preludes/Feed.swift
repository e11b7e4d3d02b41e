struct Article: Identifiable {
    let id: Int
    let title: String
}
