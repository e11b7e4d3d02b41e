let url = URL(string: "https://example.com")!
let data = Data()
