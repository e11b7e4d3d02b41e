import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The description of a partial file, with the data for requesting the rest of the same file.
struct ResumePoint: Codable, Equatable {
    /// A strong entity tag, or a modification date that is a strong validator.
    let validator: String
    /// The URL of the file after redirects, without credentials and query, which may hold secrets.
    let url: String
    /// The length of the whole file.
    let total: Int64

    /// - Parameters:
    ///   - response: The response whose body begins the file.
    ///   - request: The request of the response, before redirects.
    ///   - total: The length of the body.
    /// - Returns: `nil` if the body isn't a whole, uncompressed file, or if the server can't send the rest of the file.
    init?(_ response: URLResponse, to request: URLRequest, total: Int64?) {
        guard let response = response as? HTTPURLResponse, response.statusCode == 200, Self.mayResume(request),
            // URLSession decompresses a compressed body, but a range counts compressed bytes.
            response.isIdentity, response.value(forHTTPHeaderField: "Accept-Ranges")?.lowercased() == "bytes",
            let validator = Self.validator(response), let url = response.url?.withoutQuery, let total
        else { return nil }
        self.validator = validator
        self.url = url
        self.total = total
    }

    private static func mayResume(_ request: URLRequest) -> Bool {
        request.httpMethod ?? "GET" == "GET" && request.value(forHTTPHeaderField: "Range") == nil
    }

    /// Returns a strong validator, if any. A weak tag or a recent date may stay the same when the bytes change.
    private static func validator(_ response: HTTPURLResponse) -> String? {
        if let tag = response.value(forHTTPHeaderField: "ETag") {
            return tag.hasPrefix("\"") && tag.hasSuffix("\"") && tag.count > 1 ? tag : nil
        }
        // A date is strong if the file wasn't changed in the minute before the response (RFC 9110, 8.8.2.2). Such a
        // file can't change again without a new date. A URL with a query is excluded, because responses to different
        // queries can have equal dates.
        guard response.url?.query == nil, let value = response.value(forHTTPHeaderField: "Last-Modified"),
            let modified = HTTPDate.parse(value),
            let date = response.value(forHTTPHeaderField: "Date").flatMap(HTTPDate.parse),
            date.timeIntervalSince(modified) >= 60
        else { return nil }
        return value
    }

    /// Returns a request for the rest of the file. If the file has changed on the server, the server sends the whole
    /// file.
    ///
    /// - Returns: The request, or `nil` if the original request isn't for the whole file.
    func resuming(_ request: URLRequest, after length: Int64) -> URLRequest? {
        guard Self.mayResume(request) else { return nil }
        var request = request
        request.setValue("bytes=\(length)-", forHTTPHeaderField: "Range")
        request.setValue(validator, forHTTPHeaderField: "If-Range")
        // A cache could respond with the part that the file already contains.
        request.cachePolicy = .reloadIgnoringLocalCacheData
        return request
    }

    /// Whether a response contains the rest of this file, from the offset `length` to the end.
    ///
    /// The query of the URL may differ, because each redirect of a signed link has a new query.
    func isContinued(by response: HTTPURLResponse, after length: Int64) -> Bool {
        response.statusCode == 206 && response.isIdentity && Self.validator(response) == validator
            && response.url?.withoutQuery == url
            && response.value(forHTTPHeaderField: "Content-Range")?.lowercased()
                == "bytes \(length)-\(total - 1)/\(total)"
    }
}

extension URL {
    /// The URL without credentials, query and fragment, or `nil` if the URL can't be parsed.
    fileprivate var withoutQuery: String? {
        guard var parts = URLComponents(url: withLowercaseScheme, resolvingAgainstBaseURL: true) else { return nil }
        (parts.user, parts.password, parts.query, parts.fragment) = (nil, nil, nil, nil)
        return parts.string
    }
}
