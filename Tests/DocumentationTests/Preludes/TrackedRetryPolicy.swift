let request = URLRequest(url: URL(string: "https://example.com")!)
