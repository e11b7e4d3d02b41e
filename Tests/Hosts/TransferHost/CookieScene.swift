#if os(Linux)
import Foundation
import NetworkIndicatorTransfers

/// Requests URLs, one after the other. Their sessions share a storage.
func cookies(_ urls: some Sequence<String>) async throws {
    let storage = URLSessionConfiguration.ephemeral.httpCookieStorage
    for text in urls {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = storage
        let url = URL(string: text)!
        _ = try await URLSession(configuration: configuration).trackedData(from: url, policy: .singleAttempt)
    }
}
#endif
