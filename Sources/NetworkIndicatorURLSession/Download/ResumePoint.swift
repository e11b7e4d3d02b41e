import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A part of a file that is at hand, and what it takes to ask for the rest of the very same file.
///
/// Only with a strong entity tag: a weak one, and a modification date, may stay the same while bytes change.
struct ResumePoint {
    let entityTag: String
    /// How many bytes are at hand.
    var length: Int64

    /// - Parameters:
    ///   - response: The response that the part came with.
    ///   - request: The request that it answers.
    ///   - length: How many bytes have come.
    /// - Returns: `nil` where the download has to start over.
    init?(_ response: URLResponse, to request: URLRequest, length: Int64) {
        guard let response = response as? HTTPURLResponse, response.statusCode == 200, length > 0,
            request.httpMethod ?? "GET" == "GET", request.value(forHTTPHeaderField: "Range") == nil,
            response.value(forHTTPHeaderField: "Accept-Ranges")?.lowercased() == "bytes",
            // A compressed body has been decompressed on the way: its bytes are not those that a range counts.
            response.value(forHTTPHeaderField: "Content-Encoding") ?? "identity" == "identity",
            let tag = response.value(forHTTPHeaderField: "ETag"), tag.hasPrefix("\""), tag.hasSuffix("\""),
            tag.count > 1
        else { return nil }
        entityTag = tag
        self.length = length
    }

    /// The request for the rest, or for all of it if the file is not the same any more.
    func continuing(_ request: URLRequest) -> URLRequest {
        var request = request
        request.setValue("bytes=\(length)-", forHTTPHeaderField: "Range")
        request.setValue(entityTag, forHTTPHeaderField: "If-Range")
        // The part at hand would otherwise be answered for by a cache.
        request.cachePolicy = .reloadIgnoringLocalCacheData
        return request
    }

    /// How long the whole file is, if a 206 response goes on exactly where the part ends.
    ///
    /// - Parameters:
    ///   - response: The response to ``continuing(_:)``.
    ///   - total: How long it is, where the first response said so.
    func totalIfContinued(by response: HTTPURLResponse, total: Int64?) -> Int64? {
        guard response.value(forHTTPHeaderField: "ETag") ?? entityTag == entityTag,
            response.value(forHTTPHeaderField: "Content-Encoding") ?? "identity" == "identity",
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
