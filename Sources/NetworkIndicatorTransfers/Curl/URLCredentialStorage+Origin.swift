#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking

extension URLCredentialStorage {
    /// The realm doesn't count, because libcurl answers a challenge itself. On Linux, protection spaces aren't equal, so
    /// `defaultCredential(for:)` and `credentials(for:)` find nothing.
    func credential(for url: URL) -> URLCredential? {
        let port = url.port ?? (url.scheme == "https" ? 443 : 80)
        let methods = [
            NSURLAuthenticationMethodDefault, NSURLAuthenticationMethodHTTPBasic, NSURLAuthenticationMethodHTTPDigest,
        ]
        return allCredentials.lazy.filter { space, _ in
            !space.isProxy() && space.host.lowercased() == url.host?.lowercased() && space.port == port
                && space.protocol?.lowercased() == url.scheme && methods.contains(space.authenticationMethod)
        }.flatMap(\.value).min { $0.key < $1.key }?.value
    }
}
#endif
