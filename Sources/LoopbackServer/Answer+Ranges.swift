extension Answer {
    /// The status, extra headers and part of the body that a request gets.
    struct Selection {
        var status: Int
        var headers: HTTPHeaders
        var range: Range<Int>
    }

    /// Honours `If-None-Match`, `Range` and `If-Range` (RFC 9110, 13 and 14) if the answer has an entity tag.
    func selection(for request: HTTPRequest) -> Selection {
        var whole = Selection(status: status, headers: headers, range: 0..<body.count)
        guard let entityTag, status == 200 else { return whole }
        whole.headers["ETag"] = entityTag
        whole.headers["Accept-Ranges"] = "bytes"
        if let tags = request.headers["If-None-Match"], tags == "*" || tags.contains(entityTag) {
            return Selection(status: 304, headers: whole.headers, range: 0..<0)
        }
        guard request.method == "GET", let header = request.headers["Range"],
            request.headers["If-Range"] ?? entityTag == entityTag, let asked = ByteRange(header)
        else { return whole }
        var selection = whole
        guard let range = asked.within(body.count) else {
            selection.status = 416
            selection.headers["Content-Range"] = "bytes */\(body.count)"
            selection.range = 0..<0
            return selection
        }
        selection.status = 206
        selection.headers["Content-Range"] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(body.count)"
        selection.range = range
        return selection
    }
}
