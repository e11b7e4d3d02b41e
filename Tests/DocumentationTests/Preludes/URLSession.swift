import Foundation

let url = URL(string: "https://example.com")!
