import Foundation
import NetworkIndicatorTransfers

struct UsageError: Error { let problem: String }

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
    /// Foundation replaces bytes that aren't UTF-8, so a path would name another file.
    static func words() throws(UsageError) -> [String] {
        let words = CommandLine.arguments
        for (index, word) in words.enumerated() where String(validatingCString: CommandLine.unsafeArgv[index]!) == nil {
            throw UsageError(problem: "'\(word)' is not valid UTF-8")
        }
        let directory = getcwd(nil, 0)
        defer { free(directory) }
        if directory.flatMap({ String(validatingCString: $0) }) != nil { return Array(words.dropFirst()) }
        throw UsageError(problem: "the working directory was removed, or its path is not valid UTF-8")
    }

    init(_ words: [String]) throws(UsageError) {
        var rest = words[...]
        while !wantsHelp, let word = rest.popFirst() {
            if word == "--" {
                while let word = rest.popFirst() { urls.append(try Self.url(word)) }
            } else if word.hasPrefix("-") {
                try parse(word, &rest)
            } else {
                urls.append(try Self.url(word))
            }
        }
        if !wantsHelp, replacesFiles, continuesFiles { throw UsageError(problem: "'--force' excludes '--continue'") }
        if !wantsHelp, urls.isEmpty, output != nil || replacesFiles || continuesFiles {
            throw UsageError(problem: "'--output', '--force' and '--continue' need a URL")
        }
    }

    /// Parses one long option, such as `--jobs=3`, or several short ones, such as `-qj3`.
    private mutating func parse(_ word: String, _ rest: inout ArraySlice<String>) throws(UsageError) {
        let isLong = word.hasPrefix("--")
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        var name = isLong ? String(parts[0]) : word
        var value = isLong && parts.count > 1 ? parts[1] : nil
        var letters = isLong ? "" : word.dropFirst()
        repeat {
            if let letter = letters.popFirst() { name = "-\(letter)" }
            // The rest of a word with short options is a value, if the option has one.
            if !isLong { value = letters.isEmpty ? nil : letters }
            func text() throws(UsageError) -> String {
                let text = value.take().map(String.init) ?? rest.popFirst() ?? ""
                letters = ""
                guard text.isEmpty || text == "-" else { return text }
                throw UsageError(problem: "'\(name)' needs a value" + (text.isEmpty ? "" : " other than '-'"))
            }
            func number(_ range: ClosedRange<Int>) throws(UsageError) -> Int {
                let text = try text()
                if let number = Int(text), range.contains(number) { return number }
                throw UsageError(
                    problem: "'\(name)' needs a number from \(range.lowerBound) to \(range.upperBound), not '\(text)'")
            }
            switch name {
            case "-o", "--output": output = try text()
            case "--force": replacesFiles = true
            case "-c", "--continue": continuesFiles = true
            case "-j", "--jobs": jobs = try number(1...64)
            case "--retries": retries = try number(0...100)
            case "--timeline": timeline = try text()
            case "-q", "--quiet": isQuiet = true
            case "-h", "--help": wantsHelp = true
            default: throw UsageError(problem: "unknown option '\(name)'")
            }
            if isLong, value != nil { throw UsageError(problem: "'\(name)' has no value") }
        } while !letters.isEmpty
    }

    private static func url(_ word: String) throws(UsageError) -> URL {
        if let url = URL(fromUserInput: word) { return url }
        // The word may contain a password.
        throw UsageError(problem: "'\(word.replacing(/\/\/.*@/, with: "//"))' is not an http or https URL")
    }
}
