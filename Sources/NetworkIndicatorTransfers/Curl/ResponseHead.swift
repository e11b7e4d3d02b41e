#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking

/// The status line and the headers of a response, in the lines that libcurl delivers.
struct ResponseHead {
    enum Progress {
        case incomplete
        case complete
        case tooLong
    }

    private var version = "HTTP/1.1"
    private var fields: [String: String] = [:]
    /// The name under which `fields` contains a field. Names differ in case only.
    private var names: [String: String] = [:]
    private var lastName: String?
    private var length = 0
    private(set) var setsCookies = false

    static let maximumLength = 1_000_000

    mutating func append(_ line: UnsafeRawBufferPointer) -> Progress {
        length += line.count
        if length > Self.maximumLength { return .tooLong }
        // An empty line is the end, for libcurl even if it begins with CR only.
        guard let first = line.first, first != 10, first != 13 else { return .complete }
        if lastName == nil, line.starts(with: "HTTP/".utf8) {
            version = Self.text(line.prefix { $0 != 32 })
        } else if first == 32 || first == 9 {
            // An obsolete form of a long value (RFC 9112, 5.2).
            if let lastName { fields[lastName, default: ""] += " " + Self.text(line[...]) }
        } else if let colon = line.firstIndex(of: 58) {
            add(Self.text(line[..<colon]), Self.text(line[(colon + 1)...]))
        }
        return .incomplete
    }

    private mutating func add(_ name: String, _ value: String) {
        if name.isEmpty { return }
        let key = name.lowercased()
        if key == "set-cookie" { setsCookies = true }
        let name = names[key] ?? name
        (names[key], lastName) = (name, name)
        if fields[name]?.append(", \(value)") == nil { fields[name] = value }
    }

    /// Removes white space and line breaks at both ends. In Latin-1, which some servers send, all bytes are valid.
    private static func text(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
        func isSpace(_ byte: UInt8) -> Bool { [9, 10, 13, 32].contains(byte) }
        let start = bytes.drop(while: isSpace)
        let text = start[..<(start.lastIndex { !isSpace($0) }.map { $0 + 1 } ?? start.startIndex)]
        return String(validating: text, as: UTF8.self)
            ?? String(String.UnicodeScalarView(text.map { Unicode.Scalar($0) }))
    }

    func response(to request: URLRequest, status: Int) -> HTTPURLResponse? {
        guard let url = request.url else { return nil }
        return HTTPURLResponse(url: url, statusCode: status, httpVersion: version, headerFields: fields)
    }
}
#endif
