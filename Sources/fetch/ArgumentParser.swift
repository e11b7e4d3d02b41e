import Foundation

/// Goes through the words of a command line and collects what they ask for and what is wrong with them.
///
/// The usual rules: `--name value`, `--name=value`, `-n value`, `-nvalue`, flags of one letter in one word, and `--`
/// before URLs that look like options. The last one counts where an option is repeated.
struct ArgumentParser {
    private(set) var arguments = Arguments()
    private(set) var problems: [String] = []
    /// `--help` and `--version` come before everything else.
    private(set) var special: Command?

    private enum Option: String, CaseIterable {
        case output, jobs, force, timeout, retries, waitForConnectivity = "wait-for-connectivity"
        case indicator, timeline, quiet, help, version

        var letter: Character? {
            switch self {
            case .output: "o"
            case .jobs: "j"
            case .quiet: "q"
            case .help: "h"
            case .force, .timeout, .retries, .waitForConnectivity, .indicator, .timeline, .version: nil
            }
        }

        var takesValue: Bool {
            switch self {
            case .output, .jobs, .timeout, .retries, .indicator, .timeline: true
            case .force, .waitForConnectivity, .quiet, .help, .version: false
            }
        }
    }

    mutating func parse(_ words: [String]) {
        var rest = words[...]
        while let word = rest.popFirst() {
            if word == "--" {
                rest.forEach { addURL($0) }
                break
            } else if word.hasPrefix("--") {
                parseLong(word, &rest)
            } else if word.hasPrefix("-"), word.count > 1 {
                parseLetters(word, &rest)
            } else {
                addURL(word)
            }
        }
        if let timeline = arguments.timeline, isTarget(timeline) {
            problems.append("'--timeline' needs a file of its own, not '\(timeline)', which a download is written to")
        }
        if arguments.urls.isEmpty, problems.isEmpty {
            // Somebody forgot the URLs: the demonstration has its own place.
            if arguments.directory != nil { problems.append("'--output' needs a URL") }
            if arguments.replacesFiles { problems.append("'--force' needs a URL") }
        }
    }

    private func isTarget(_ path: String) -> Bool {
        func standard(_ path: String) -> String { URL(fileURLWithPath: path).standardizedFileURL.path }
        let targets = FileName.names(for: arguments.urls).map { Directory.path($0, in: arguments.directory) }
        return targets.contains { standard($0) == standard(path) }
    }

    private mutating func parseLong(_ word: String, _ rest: inout ArraySlice<String>) {
        let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = "--" + parts[0]
        guard let option = Option(rawValue: String(parts[0])) else {
            problems.append("unknown option '\(name)'")
            return
        }
        let attached = parts.count > 1 ? String(parts[1]) : nil
        if !option.takesValue {
            if attached == nil { set(option) } else { problems.append("'\(name)' takes no value: '\(word)'") }
        } else if let value = attached ?? rest.popFirst() {
            set(option, to: value, as: name)
        } else {
            problems.append("'\(name)' needs a value")
        }
    }

    private mutating func parseLetters(_ word: String, _ rest: inout ArraySlice<String>) {
        var letters = word.dropFirst()
        while let letter = letters.popFirst() {
            let name = "-\(letter)"
            guard let option = Option.allCases.first(where: { $0.letter == letter }) else {
                problems.append("unknown option '\(name)'" + (word == name ? "" : " in '\(word)'"))
                return
            }
            guard option.takesValue else {
                set(option)
                continue
            }
            if let value = letters.isEmpty ? rest.popFirst() : String(letters) {
                set(option, to: value, as: name)
            } else {
                problems.append("'\(name)' needs a value")
            }
            return
        }
    }

    private mutating func set(_ flag: Option) {
        switch flag {
        case .force: arguments.replacesFiles = true
        case .waitForConnectivity: arguments.waitsForConnectivity = true
        case .quiet: arguments.isQuiet = true
        case .help: special = special ?? .help
        case .version: special = special ?? .version
        case .output, .jobs, .timeout, .retries, .indicator, .timeline: break
        }
    }

    private mutating func set(_ option: Option, to value: String, as name: String) {
        switch option {
        case .output:
            if value.isEmpty { problems.append("'\(name)' needs a directory, not ''") }
            arguments.directory = value
        case .jobs:
            arguments.jobs = number(value, Arguments.jobsRange, as: name) ?? arguments.jobs
        case .timeout:
            arguments.timeout = number(value, Arguments.timeoutRange, as: name) ?? arguments.timeout
        case .retries:
            arguments.retries = number(value, Arguments.retriesRange, as: name) ?? arguments.retries
        case .timeline:
            if value.isEmpty { problems.append("'\(name)' needs a file, not ''") }
            arguments.timeline = value
        case .indicator:
            if let indicator = Arguments.Indicator(rawValue: value) {
                arguments.indicator = indicator
            } else {
                problems.append("'\(name)' is one of auto, always and never, not '\(value)'")
            }
        case .force, .waitForConnectivity, .quiet, .help, .version:
            break
        }
    }

    private mutating func number(_ value: String, _ range: ClosedRange<Int>, as name: String) -> Int? {
        if value.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(value), range.contains(number) {
            return number
        }
        problems.append(
            "'\(name)' needs a whole number from \(range.lowerBound) to \(range.upperBound), not '\(value)'")
        return nil
    }

    private mutating func addURL(_ word: String) {
        // The scheme in lower case: URLSession on Linux knows no other.
        guard var parts = URLComponents(string: word), let scheme = parts.scheme?.lowercased(),
            scheme == "http" || scheme == "https", let host = parts.host, !host.isEmpty
        else {
            problems.append("'\(word)' is not an http or https URL")
            return
        }
        parts.scheme = scheme
        if let url = parts.url { arguments.urls.append(url) }
    }
}
