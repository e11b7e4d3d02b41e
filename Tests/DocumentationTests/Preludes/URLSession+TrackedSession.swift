let url = URL(string: "https://example.com")!
