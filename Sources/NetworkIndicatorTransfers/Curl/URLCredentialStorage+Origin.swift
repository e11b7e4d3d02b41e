#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking

extension URLCredentialStorage {
    /// On Linux, protection spaces are never equal, so `credentials(for:)` and `defaultCredential(for:)` find nothing.
    /// The realm doesn't count, because libcurl responds to a challenge itself.
    func credential(for url: URL) -> URLCredential? {
        let methods = [
            NSURLAuthenticationMethodDefault, NSURLAuthenticationMethodHTTPBasic, NSURLAuthenticationMethodHTTPDigest,
        ]
        return allCredentials.lazy.filter { space, _ in
            !space.isProxy() && space.host.lowercased() == url.host?.lowercased() && space.port == url.effectivePort
                && space.protocol?.lowercased() == url.scheme && methods.contains(space.authenticationMethod)
        }.flatMap(\.value).min { $0.key < $1.key }?.value
    }
}
#endif
