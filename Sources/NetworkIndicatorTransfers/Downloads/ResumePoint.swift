import Foundation
import NetworkIndicatorURLSession

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The description of a partial file: what is needed to request the rest of the same file.
struct ResumePoint: Codable, Equatable {
    /// The strong entity tag.
    var entityTag: String?
    /// The modification date, if it is a strong validator and there is no entity tag.
    var lastModified: String?
    /// The URL of the request, without credentials and fragment.
    let request: String?
    /// The URL of the file after redirects, without credentials and fragment.
    let url: String
    /// The length of the whole file, if it is known.
    var total: Int64?

    /// - Parameters:
    ///   - response: The response that the part belongs to.
    ///   - request: The request of the response, before redirects.
    /// - Returns: `nil` if the body isn't a whole, uncompressed file.
    init?(_ response: URLResponse, to request: URLRequest) {
        guard let response = response as? HTTPURLResponse, response.statusCode == 200,
            request.httpMethod ?? "GET" == "GET", request.value(forHTTPHeaderField: "Range") == nil,
            // URLSession decompresses a compressed body, so its bytes are not those that a range counts.
            response.isIdentity, let url = response.url?.withoutCredentialsAndFragment
        else { return nil }
        self.request = request.url?.withoutCredentialsAndFragment
        self.url = url
        total = response.bodyLength(for: request)
        guard response.value(forHTTPHeaderField: "Accept-Ranges")?.lowercased() == "bytes" else { return }
        if let tag = response.value(forHTTPHeaderField: "ETag") {
            entityTag = Self.isStrong(tag) ? tag : nil
        } else {
            lastModified = Self.strongDate(response)
        }
    }

    /// Whether a later request can ask for the rest of the file.
    ///
    /// This needs a strong validator: the bytes may change while a weak tag or a recent date stays the same.
    var isResumable: Bool { entityTag != nil || lastModified != nil }

    private static func isStrong(_ tag: String) -> Bool {
        tag.hasPrefix("\"") && tag.hasSuffix("\"") && tag.count > 1
    }

    /// Returns the modification date if it is strong (RFC 9110, 8.8.2.2). A date is strong if the file wasn't changed
    /// in the minute before the response. The file then can't change again without a new date.
    private static func strongDate(_ response: HTTPURLResponse) -> String? {
        guard let value = response.value(forHTTPHeaderField: "Last-Modified"), let modified = HTTPDate.parse(value),
            let date = response.value(forHTTPHeaderField: "Date").flatMap(HTTPDate.parse),
            date.timeIntervalSince(modified) >= 60
        else { return nil }
        return value
    }

    /// Whether a file of this length is the complete response to a request.
    func isComplete(_ length: Int64, for request: URLRequest) -> Bool {
        length > 0 && total == length && self.request == request.url?.withoutCredentialsAndFragment
            && request.httpMethod ?? "GET" == "GET" && request.value(forHTTPHeaderField: "Range") == nil
    }

    /// A response for a complete file, from its description.
    var response: URLResponse? {
        var headers = ["Content-Length": "\(total ?? 0)"]
        headers["ETag"] = entityTag
        headers["Last-Modified"] = lastModified
        return URL(string: url).flatMap {
            HTTPURLResponse(url: $0, statusCode: 200, httpVersion: "HTTP/1.1", headerFields: headers)
        }
    }

    /// Returns a request for the rest of the file. If the file has changed, the server sends the whole file.
    func resuming(_ request: URLRequest, after length: Int64) -> URLRequest {
        var request = request
        request.setValue("bytes=\(length)-", forHTTPHeaderField: "Range")
        request.setValue(entityTag ?? lastModified, forHTTPHeaderField: "If-Range")
        // A cache could respond with the part that the file already contains.
        request.cachePolicy = .reloadIgnoringLocalCacheData
        return request
    }

    /// Returns the length of the whole file, if a 206 response continues this file at this offset.
    func total(continuedBy response: HTTPURLResponse, after length: Int64) -> Int64? {
        let (name, validator) = entityTag == nil ? ("Last-Modified", lastModified) : ("ETag", entityTag)
        guard response.statusCode == 206,
            validator != nil, response.value(forHTTPHeaderField: name) == validator, response.isIdentity,
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

extension URL {
    fileprivate var withoutCredentialsAndFragment: String {
        String(withLowercaseScheme.withoutCredentials.prefix { $0 != "#" })
    }
}
