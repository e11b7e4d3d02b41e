import Foundation
import NetworkIndicatorTransfers

struct UsageError: Error, Equatable {
    let problem: String
}

struct Arguments: Equatable {
    var text: String?
    var urls: [URL] = []
    var output: String?
    var replacesFiles = false
    var continuesFiles = false
    var jobs = 6
    /// In seconds.
    var timeout = 60
    var retries = 2
    var waitsForConnectivity = false
    var progressRows: Int?
    var timeline: String?
    var isQuiet = false
}

extension Arguments {
    init(_ words: [String]) throws(UsageError) {
        var rest = words[...]
        while let word = rest.popFirst() {
            if word.hasPrefix("-") {
                var option = Option(word)
                try apply(&option, &rest)
                if option.attachedValue != nil { throw UsageError(problem: "'\(option.name)' takes no value") }
            } else {
                urls.append(try Self.url(word))
            }
        }
        if text != nil { return }
        if replacesFiles, continuesFiles { throw UsageError(problem: "'--force' and '--continue' exclude each other") }
        if urls.isEmpty, output != nil || replacesFiles || continuesFiles {
            throw UsageError(problem: "'--output', '--force' and '--continue' need a URL")
        }
    }

    private mutating func apply(_ option: inout Option, _ rest: inout ArraySlice<String>) throws(UsageError) {
        switch option.name {
        case "-o", "--output": output = try option.value(&rest)
        case "--force": replacesFiles = true
        case "-c", "--continue": continuesFiles = true
        case "-j", "--jobs": jobs = try option.number(1...64, &rest)
        case "--timeout": timeout = try option.number(1...86_400, &rest)
        case "--retries": retries = try option.number(0...100, &rest)
        case "--wait-for-connectivity": waitsForConnectivity = true
        case "--progress-rows": progressRows = try option.number(0...20, &rest)
        case "--timeline": timeline = try option.value(&rest)
        case "-q", "--quiet": isQuiet = true
        case "-h", "--help": text = Help.text
        case "--version": text = Help.version
        default: throw UsageError(problem: "unknown option '\(option.name)'")
        }
    }

    private static func url(_ word: String) throws(UsageError) -> URL {
        if let url = webURL(word) { return url }
        let isAddress = !word.contains("://") && webURL("http://\(word)").map { $0.user() == nil } ?? false
        let problem = isAddress ? "has no scheme; write http:// or https:// before it" : "is not an http or https URL"
        // The word may contain a password. It is no URL, so the user info can't be told from the path.
        throw UsageError(problem: "'\(word.replacing(/\/\/.*@/, with: "//"))' \(problem)")
    }

    private static func webURL(_ text: String) -> URL? {
        URL(fromUserInput: text).flatMap { url in
            ["http", "https"].contains(url.scheme?.lowercased()) && url.host()?.isEmpty == false ? url : nil
        }
    }
}

private struct Option {
    let name: String
    private(set) var attachedValue: String?

    init(_ word: String) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        name = String(parts[0])
        attachedValue = parts.count > 1 ? String(parts[1]) : nil
    }

    mutating func value(_ rest: inout ArraySlice<String>) throws(UsageError) -> String {
        let value = attachedValue.take() ?? rest.popFirst() ?? ""
        guard !["", "-"].contains(value) else {
            throw UsageError(problem: "'\(name)' needs a value other than '\(value)'")
        }
        return value
    }

    mutating func number(_ range: ClosedRange<Int>, _ rest: inout ArraySlice<String>) throws(UsageError) -> Int {
        let text = try value(&rest)
        guard let number = Int(text), range.contains(number) else {
            let limits = "from \(range.lowerBound) to \(range.upperBound)"
            throw UsageError(problem: "'\(name)' needs a whole number \(limits), not '\(text)'")
        }
        return number
    }
}
