import Foundation
import NetworkIndicatorURLSession

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

struct ResumePoint: Codable, Equatable {
    let entityTag: String
    let total: Int64
    /// A hash of the request's URL, because the query can select the file. Unlike a URL, a hash reveals no secret.
    let request: UInt64
    /// A hash of the URL after redirects. Its query is left out, because a redirect to a signed URL often has a new
    /// query each time.
    let source: UInt64

    init?(_ response: URLResponse, to request: URLRequest, total: Int64?) {
        guard let response = response as? HTTPURLResponse, response.statusCode == 200, Self.mayResume(request),
            // URLSession decompresses a compressed body, but a range counts compressed bytes.
            response.isIdentity, response.list("Accept-Ranges").contains("bytes"),
            let tag = Self.strongTag(response), let total
        else { return nil }
        entityTag = tag
        self.total = total
        self.request = Self.hash(request.url?.withoutCredentials ?? "")
        source = Self.source(of: response)
    }

    /// The FNV-1a hash is the same in each process, unlike that of `Hasher`.
    private static func hash(_ url: some StringProtocol) -> UInt64 {
        url.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }

    private static func source(of response: URLResponse) -> UInt64 {
        hash((response.url?.withoutCredentials ?? "").prefix { $0 != "?" && $0 != "#" })
    }

    private static func mayResume(_ request: URLRequest) -> Bool {
        request.httpMethod ?? "GET" == "GET" && request.value(forHTTPHeaderField: "Range") == nil
    }

    /// Weak entity tags and modification dates are ignored, because they can stay the same when the bytes change.
    private static func strongTag(_ response: HTTPURLResponse) -> String? {
        response.field("ETag").flatMap { $0.hasPrefix("\"") && $0.hasSuffix("\"") && $0.count > 1 ? $0 : nil }
    }

    /// The last byte of a complete part is requested again, to check whether the file has changed on the server.
    func resumableLength(of length: Int64) -> Int64 { length > total ? 0 : min(length, total - 1) }

    func resuming(_ request: URLRequest, after length: Int64) -> URLRequest? {
        guard length > 0, Self.mayResume(request), Self.hash(request.url?.withoutCredentials ?? "") == self.request
        else { return nil }
        var request = request
        request.setValue("bytes=\(length)-", forHTTPHeaderField: "Range")
        request.setValue(entityTag, forHTTPHeaderField: "If-Range")
        // A cache could otherwise return bytes that the file already contains.
        request.cachePolicy = .reloadIgnoringLocalCacheData
        return request
    }

    func isRelated(to response: HTTPURLResponse) -> Bool {
        Self.source(of: response) == source || Self.strongTag(response) == entityTag
    }

    func isContinued(by response: HTTPURLResponse, after length: Int64) -> Bool {
        response.statusCode == 206 && response.isIdentity && Self.source(of: response) == source
            && Self.strongTag(response) == entityTag
            && response.field("Content-Range")?.lowercased() == "bytes \(length)-\(total - 1)/\(total)"
    }
}

/// A description file, beside the partial file, holds the resume point of the part.
extension ResumePoint {
    /// In a shared directory, another user can have planted a description.
    init?(for part: URL) {
        guard let status = part.descriptionURL.status(followsLinks: false), status.st_mode & S_IFMT == S_IFREG,
            status.st_uid == geteuid(), let data = try? Data(contentsOf: part.descriptionURL),
            let point = try? JSONDecoder().decode(Self.self, from: data)
        else { return nil }
        self = point
    }
}

extension OpenFile {
    /// Call this method before new bytes are written. With a stale description, a later call could combine the bytes of
    /// two versions of the file.
    func describe(_ part: ResumePoint?) throws(DownloadError) {
        let (result, code) = url.descriptionURL.withPath { unlink($0) }
        guard result == 0 || code == .ENOENT else { throw .file(.write, url: url.descriptionURL, code: code) }
        if let part { writeDescription(part) }
    }

    /// Errors are ignored, because a later call starts over if it finds no valid description.
    func writeDescription(_ part: ResumePoint) {
        // An atomic write would create a temporary file, which would remain if the process were killed.
        try? JSONEncoder().encode(part).write(to: url.descriptionURL, options: .withoutOverwriting)
    }
}

extension URL {
    var descriptionURL: URL { URL(filePath: "\(path).info", directoryHint: .notDirectory) }
}
