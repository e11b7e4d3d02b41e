extension HTTPRequest {
    /// Parses a request line and header lines.
    ///
    /// - Parameter head: The lines, separated by CR LF, without the empty line at the end.
    /// - Throws: ``HTTPRequestParser/Stop/failed(_:)`` with 400 or 505.
    init(head: ArraySlice<UInt8>) throws(HTTPRequestParser.Stop) {
        var lines = head.split(separator: 0x0A, omittingEmptySubsequences: false)[...]
            .map { $0.last == 0x0D ? $0.dropLast() : $0 }[...]
        let parts = lines.removeFirst().split(separator: 0x20, omittingEmptySubsequences: false)
        guard parts.count == 3, Self.isToken(parts[0]), Self.isTarget(parts[1]) else {
            throw .failed(400, "the first line is not 'METHOD TARGET HTTP/1.1'")
        }
        let version = String(decoding: parts[2], as: UTF8.self)
        guard version == "HTTP/1.1" || version == "HTTP/1.0" else {
            throw .failed(505, "a version that is neither HTTP/1.1 nor HTTP/1.0")
        }
        var headers = HTTPHeaders()
        for line in lines {
            let name = line.prefix { $0 != UInt8(ascii: ":") }
            guard name.count < line.count, Self.isToken(name) else {
                throw .failed(400, "a header line is not 'Name: value'")
            }
            let value = line.dropFirst(name.count + 1)
            guard value.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
                throw .failed(400, "a header value with control characters")
            }
            headers.add(
                String(decoding: name, as: UTF8.self), String(decoding: value, as: UTF8.self).trimmingSpaces())
        }
        let isVersion1_1 = version == "HTTP/1.1"
        guard headers.values("Host").count == 1 || !isVersion1_1 else { throw .failed(400, "not exactly one Host") }
        self.init(
            method: String(decoding: parts[0], as: UTF8.self), target: String(decoding: parts[1], as: UTF8.self),
            headers: headers, isVersion1_1: isVersion1_1)
    }

    private static func isToken(_ bytes: ArraySlice<UInt8>) -> Bool {
        !bytes.isEmpty
            && bytes.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
                }
            }
    }

    private static func isTarget(_ bytes: ArraySlice<UInt8>) -> Bool {
        !bytes.isEmpty && bytes.allSatisfy { (0x21...0x7E).contains($0) }
    }
}
