import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The data for a request for the rest of the same file.
///
/// This needs a strong entity tag: the bytes may change while a weak tag or a modification date stays the same.
struct ResumePoint: Codable, Equatable {
    let entityTag: String
    /// The URL of the file after redirects, without credentials and fragment.
    let url: String
    /// The length of the whole file, if the response announces it.
    let total: Int64?

    /// - Parameters:
    ///   - response: The response that the part belongs to.
    ///   - request: The request of the response, before redirects.
    /// - Returns: `nil` if the download has to start over after a failure.
    init?(_ response: URLResponse, to request: URLRequest) {
        guard let response = response as? HTTPURLResponse, response.statusCode == 200,
            request.httpMethod ?? "GET" == "GET", request.value(forHTTPHeaderField: "Range") == nil,
            response.value(forHTTPHeaderField: "Accept-Ranges")?.lowercased() == "bytes",
            // URLSession decompresses a compressed body, so its bytes are not those that a range counts.
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

    /// Returns a request for the rest of the file. If the file has changed, the server sends the whole file.
    func continuing(_ request: URLRequest, after length: Int64) -> URLRequest {
        var request = request
        request.setValue("bytes=\(length)-", forHTTPHeaderField: "Range")
        request.setValue(entityTag, forHTTPHeaderField: "If-Range")
        // A cache could answer with the part that is already here.
        request.cachePolicy = .reloadIgnoringLocalCacheData
        return request
    }

    /// Returns the length of the whole file, if a 206 response continues this file at this offset.
    func total(continuedBy response: HTTPURLResponse, after length: Int64) -> Int64? {
        guard response.value(forHTTPHeaderField: "ETag") == entityTag, response.isIdentity,
            response.url?.withoutCredentialsAndFragment == url,
            let range = Self.range(response), range.first == length, range.last + 1 == range.total
        else { return nil }
        return total == nil || total == range.total ? range.total : nil
    }

    /// Parses a header such as `Content-Range: bytes 10-19/20`.
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
