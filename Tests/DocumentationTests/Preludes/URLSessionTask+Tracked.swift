let url = URL(string: "https://example.com")!
let session = URLSession.shared
