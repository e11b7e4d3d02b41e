import Foundation

public struct HTTPRequest: Sendable {
    public let method: String
    public let target: String
    public let headers: HTTPHeaders
    public internal(set) var body: [UInt8] = []
    /// The number of requests for this path so far, including this one.
    public internal(set) var hit = 1

    public var path: String { String(target.prefix { $0 != "?" }) }

    init?(head: [UInt8]) {
        let lines = String(decoding: head, as: UTF8.self).components(separatedBy: "\r\n").filter { !$0.isEmpty }
        let parts = lines.first?.components(separatedBy: " ") ?? []
        guard parts.count == 3, parts[2] == "HTTP/1.1" else { return nil }
        (method, target) = (parts[0], parts[1])
        var headers = HTTPHeaders()
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { return nil }
            let (name, value) = (String(line[..<colon]), line[line.index(after: colon)...])
            let values = [headers[name], value.trimmingCharacters(in: .whitespaces)]
            headers[name] = values.compactMap(\.self).joined(separator: ", ")
        }
        self.headers = headers
    }
}
