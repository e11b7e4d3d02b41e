import Foundation
import NetworkIndicatorTransfers

struct UsageError: Error, Equatable {
    let problem: String
}

struct Arguments: Equatable {
    var urls: [URL] = []
    var output: String?
    var replacesFiles = false
    var continuesFiles = false
    var jobs = 6
    var retries = 2
    var timeline: String?
    var isQuiet = false
    var wantsHelp = false
}

extension Arguments {
    init(_ words: [String]) throws(UsageError) {
        // `--jobs=3` is the same as `--jobs 3`.
        var rest = words.flatMap { word in
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            return word.hasPrefix("--") ? parts : [word]
        }[...]
        while let word = rest.popFirst() {
            switch word {
            case "-o", "--output": output = try Self.value(of: word, &rest)
            case "--force": replacesFiles = true
            case "-c", "--continue": continuesFiles = true
            case "-j", "--jobs": jobs = try Self.number(of: word, 1...64, &rest)
            case "--retries": retries = try Self.number(of: word, 0...100, &rest)
            case "--timeline": timeline = try Self.value(of: word, &rest)
            case "-q", "--quiet": isQuiet = true
            case "-h", "--help": wantsHelp = true
            case _ where word.hasPrefix("-"): throw UsageError(problem: "unknown option '\(word)'")
            default: urls.append(try Self.url(word))
            }
        }
        if replacesFiles, continuesFiles { throw UsageError(problem: "'--force' and '--continue' exclude each other") }
        if urls.isEmpty, output != nil || replacesFiles || continuesFiles {
            throw UsageError(problem: "'--output', '--force' and '--continue' need a URL")
        }
    }

    private static func value(of name: String, _ rest: inout ArraySlice<String>) throws(UsageError) -> String {
        guard let value = rest.popFirst(), !["", "-"].contains(value) else {
            throw UsageError(problem: "'\(name)' needs a value other than '-'")
        }
        return value
    }

    private static func number(
        of name: String, _ range: ClosedRange<Int>, _ rest: inout ArraySlice<String>
    ) throws(UsageError) -> Int {
        let text = try value(of: name, &rest)
        if let number = Int(text), range.contains(number) { return number }
        let limits = "from \(range.lowerBound) to \(range.upperBound)"
        throw UsageError(problem: "'\(name)' needs a whole number \(limits), not '\(text)'")
    }

    private static func url(_ word: String) throws(UsageError) -> URL {
        guard let url = URL(fromUserInput: word), ["http", "https"].contains(url.scheme?.lowercased()),
            url.host()?.isEmpty == false
        else {
            // The word may contain a password.
            let word = word.replacing(/\/\/.*@/, with: "//")
            throw UsageError(problem: "'\(word)' is not a URL that begins with http:// or https://")
        }
        return url
    }
}
