import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What it takes to ask for the rest of the very same file.
///
/// Only with a strong entity tag: bytes may change while a weak tag or a modification date stays the same.
struct ResumePoint: Codable, Equatable {
    let entityTag: String
    /// Where the file comes from, after redirects, without credentials and fragment.
    let url: String
    /// The length of the whole file, where the response says so.
    let total: Int64?

    /// - Parameters:
    ///   - response: The response that the part comes with.
    ///   - request: The request that it answers, before redirects.
    /// - Returns: `nil` if the download has to start over after a failure.
    init?(_ response: URLResponse, to request: URLRequest) {
        guard let response = response as? HTTPURLResponse, response.statusCode == 200,
            request.httpMethod ?? "GET" == "GET", request.value(forHTTPHeaderField: "Range") == nil,
            response.value(forHTTPHeaderField: "Accept-Ranges")?.lowercased() == "bytes",
            // A compressed body has been decompressed on the way. Its bytes are not those that a range counts.
            response.isIdentity, let tag = response.value(forHTTPHeaderField: "ETag"), Self.isStrong(tag),
            let url = response.url?.withoutCredentialsAndFragment
        else { return nil }
        entityTag = tag
        self.url = url
        total = response.identityLength
    }

    private static func isStrong(_ tag: String) -> Bool {
        tag.hasPrefix("\"") && tag.hasSuffix("\"") && tag.count > 1
    }

    /// The request for what follows the first bytes, or for all of it if the file is not the same any more.
    func continuing(_ request: URLRequest, after length: Int64) -> URLRequest {
        var request = request
        request.setValue("bytes=\(length)-", forHTTPHeaderField: "Range")
        request.setValue(entityTag, forHTTPHeaderField: "If-Range")
        // A cache would answer for the part at hand.
        request.cachePolicy = .reloadIgnoringLocalCacheData
        return request
    }

    /// The length of the whole file, if a 206 response continues exactly this file exactly here.
    func total(continuedBy response: HTTPURLResponse, after length: Int64) -> Int64? {
        guard response.value(forHTTPHeaderField: "ETag") == entityTag, response.isIdentity,
            response.url?.withoutCredentialsAndFragment == url,
            let range = Self.range(response), range.first == length, range.last + 1 == range.total
        else { return nil }
        return total == nil || total == range.total ? range.total : nil
    }

    /// Understands `Content-Range: bytes 10-19/20`.
    private static func range(_ response: HTTPURLResponse) -> (first: Int64, last: Int64, total: Int64)? {
        guard let value = response.value(forHTTPHeaderField: "Content-Range"), value.lowercased().hasPrefix("bytes ")
        else { return nil }
        let numbers = value.dropFirst(6).split(whereSeparator: { $0 == "-" || $0 == "/" }).map { Int64($0) }
        guard numbers.count == 3, let first = numbers[0], let last = numbers[1], let total = numbers[2] else {
            return nil
        }
        return first <= last && last < total ? (first, last, total) : nil
    }
}

extension HTTPURLResponse {
    fileprivate var isIdentity: Bool {
        value(forHTTPHeaderField: "Content-Encoding")?.lowercased() ?? "identity" == "identity"
    }
}

extension URL {
    fileprivate var withoutCredentialsAndFragment: String {
        String(withoutCredentials.prefix { $0 != "#" })
    }
}
