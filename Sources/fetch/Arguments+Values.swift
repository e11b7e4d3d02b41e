import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The error of a refused value. The problem is the end of a sentence. Callers put the refused URL, or the value's option,
/// before it.
struct RefusedValue: Error, CustomStringConvertible {
    let problem: String

    var description: String { problem }
}

extension Arguments {
    /// Parses a word as a URL.
    static func url(_ word: String) throws(RefusedValue) -> URL {
        guard var parts = URLComponents(string: word), let host = parts.host, !host.isEmpty,
            let scheme = parts.scheme?.lowercased()
        else { throw RefusedValue(problem: "is not an http or https URL") }
        guard scheme == "http" || scheme == "https" else {
            throw RefusedValue(problem: "is not an http or https URL: fetch cannot load '\(scheme):'")
        }
        if let range = parts.rangeOfPort, !range.isEmpty, !(1...65_535).contains(Int(parts.string![range]) ?? 0) {
            throw RefusedValue(problem: "has a port that is not from 1 to 65535")
        }
        #if canImport(FoundationNetworking)
        if host.contains(":") {
            // https://github.com/swiftlang/swift-corelibs-foundation/issues/5496
            throw RefusedValue(problem: "has an IPv6 address, which URLSession on Linux does not support")
        }
        #endif
        // URLSession on Linux accepts schemes in lower case only.
        parts.scheme = scheme
        guard let url = parts.url else { throw RefusedValue(problem: "is not an http or https URL") }
        return url
    }

    /// The problems of combinations of options.
    var contradictions: [String] {
        var problems: [String] = []
        if isDemonstration {
            // The demonstration uses its own directory.
            if output != nil { problems.append("'--output' needs a URL") }
            if replacesFiles { problems.append("'--force' needs a URL") }
            if continuesFiles { problems.append("'--continue' needs a URL") }
        } else if output == .standardOutput {
            if urls.count > 1 { problems.append("'--output -' needs exactly one URL, not \(urls.count)") }
            if continuesFiles { problems.append("'--continue' needs a file, and '--output -' writes none") }
        } else if let timeline, paths.map(Self.standard).contains(Self.standard(timeline)) {
            problems.append(
                "'--timeline' needs a file of its own, not \(timeline.quotedWord), which a download is written to")
        }
        return problems
    }

    private static func standard(_ path: String) -> String { URL(fileURLWithPath: path).standardizedFileURL.path }
}

extension Arguments.Output {
    /// Parses a path, or `-` for standard output.
    init(_ text: String) throws(RefusedValue) {
        if text.isEmpty {
            throw RefusedValue(problem: "needs a directory or a file, or '-' for standard output, not ''")
        }
        self = text == "-" ? .standardOutput : .path(text)
    }
}

extension Arguments.Header {
    /// Parses `Name: value`.
    ///
    /// A problem never repeats the value, which may be a password.
    init(field: String) throws(RefusedValue) {
        let parts = field.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, Self.isName(parts[0]) else { throw RefusedValue(problem: "needs 'Name: value'") }
        name = String(parts[0])
        value = parts[1].trimmingCharacters(in: .whitespaces)
        if Self.reserved.contains(name.lowercased()) {
            throw RefusedValue(problem: "cannot set \(name.quotedWord), which is reserved")
        }
        if !Self.isValue(value) {
            throw RefusedValue(problem: "needs a value without control characters after '\(name):'")
        }
    }

    /// The fields that delimit messages, or select parts of files.
    private static let reserved: Set<String> = [
        "connection", "content-length", "if-range", "range", "te", "trailer", "transfer-encoding", "upgrade",
    ]

    /// Whether a text is a field name (RFC 9110, 5.6.2).
    private static func isName(_ text: Substring) -> Bool {
        !text.isEmpty
            && text.unicodeScalars.allSatisfy { scalar in
                scalar.isASCII
                    && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
                        || "!#$%&'*+-.^_`|~".unicodeScalars.contains(scalar))
            }
    }

    /// Whether a text can be a field's value. A line break would begin another field.
    static func isValue(_ text: String) -> Bool {
        !text.isEmpty && text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }
}
