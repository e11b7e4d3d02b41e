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
    private(set) var cookies: [String] = []

    static let maximumLength = 1_000_000

    mutating func append(_ line: UnsafeRawBufferPointer) -> Progress {
        length += line.count
        if length > Self.maximumLength { return .tooLong }
        // Some servers send Latin-1, in which every sequence of bytes is valid.
        // The end, even for libcurl if more bytes follow.
        if let first = line.first, first == 10 || first == 13 { return .complete }
        let text =
            String(validating: line, as: UTF8.self)
            ?? String(String.UnicodeScalarView(line.map { Unicode.Scalar($0) }))
        append(text.trimmingCharacters(in: .newlines))
        return .incomplete
    }

    private mutating func append(_ line: String) {
        if lastName == nil, line.hasPrefix("HTTP/") {
            version = String(line.prefix { $0 != " " })
            return
        }
        let value: String
        if let first = line.first, first == " " || first == "\t" {
            // An obsolete form of a long value (RFC 9112, 5.2).
            guard let lastName else { return }
            fields[lastName, default: ""] += " " + line.trimmingCharacters(in: .whitespaces)
            return
        } else if let colon = line.firstIndex(of: ":") {
            lastName = line[..<colon].trimmingCharacters(in: .whitespaces)
            value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
        } else {
            return
        }
        guard let lastName, !lastName.isEmpty else { return }
        let key = lastName.lowercased()
        if key == "set-cookie" { cookies.append(value) }
        let name = names[key] ?? lastName
        (names[key], self.lastName) = (name, name)
        if fields[name]?.append(", \(value)") == nil { fields[name] = value }
    }

    func response(to request: URLRequest, status: Int) -> HTTPURLResponse? {
        guard let url = request.url else { return nil }
        return HTTPURLResponse(url: url, statusCode: status, httpVersion: version, headerFields: fields)
    }
}
#endif
