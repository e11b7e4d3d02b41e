import Foundation

/// Parses the words of a command line into arguments and a list of problems.
///
/// It accepts `--name value`, `--name=value`, `-n value`, `-nvalue`, several one-letter flags in one word, and `--`
/// before URLs that begin with a hyphen. If an option is repeated, the last value is used. `--header` adds a header
/// each time.
struct ArgumentParser {
    private(set) var arguments = Arguments()
    private(set) var problems: [String] = []
    /// `--help` and `--version` take precedence over everything else.
    private(set) var special: Command?

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
        if problems.isEmpty { problems = arguments.contradictions }
    }

    private mutating func parseLong(_ word: String, _ rest: inout ArraySlice<String>) {
        let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = "--" + parts[0]
        guard let option = Option(rawValue: String(parts[0])) else {
            problems.append("unknown option \(name.quotedWord)")
            return
        }
        let attached = parts.count > 1 ? String(parts[1]) : nil
        if !option.takesValue {
            if attached == nil { set(option) } else { problems.append("\(name.quotedWord) takes no value") }
        } else if let value = attached ?? rest.popFirst() {
            set(option, to: value, as: name)
        } else {
            problems.append("\(name.quotedWord) needs a value")
        }
    }

    private mutating func parseLetters(_ word: String, _ rest: inout ArraySlice<String>) {
        var letters = word.dropFirst()
        while let letter = letters.popFirst() {
            let name = "-\(letter)"
            guard let option = Option.allCases.first(where: { $0.letter == letter }) else {
                problems.append("unknown option \(name.quotedWord)" + (word == name ? "" : " in \(word.quotedWord)"))
                return
            }
            guard option.takesValue else {
                set(option)
                continue
            }
            if let value = letters.isEmpty ? rest.popFirst() : String(letters) {
                set(option, to: value, as: name)
            } else {
                problems.append("\(name.quotedWord) needs a value")
            }
            return
        }
    }

    private mutating func set(_ flag: Option) {
        switch flag {
        case .force: arguments.replacesFiles = true
        case .continue: arguments.continuesFiles = true
        case .waitForConnectivity: arguments.waitsForConnectivity = true
        case .quiet: arguments.isQuiet = true
        case .help: special = special ?? .help
        case .version: special = special ?? .version
        case .output, .jobs, .maxSize, .header, .userAgent, .timeout, .retries, .indicator, .progressRows, .timeline:
            break
        }
    }

    private mutating func set(_ option: Option, to value: String, as name: String) {
        switch option {
        case .output: setOutput(value, as: name)
        case .jobs: set(\.jobs, to: value, Arguments.jobsRange, as: name)
        case .maxSize: setMaximumSize(value, as: name)
        case .header: addHeader(value, as: name)
        case .userAgent: setUserAgent(value, as: name)
        case .timeout: set(\.timeout, to: value, Arguments.timeoutRange, as: name)
        case .retries: set(\.retries, to: value, Arguments.retriesRange, as: name)
        case .indicator: setIndicator(value, as: name)
        case .progressRows: set(\.progressRows, to: value, Arguments.progressRowsRange, as: name)
        case .timeline:
            if value.isEmpty { problems.append("\(name.quotedWord) needs a file, not ''") }
            arguments.timeline = value
        case .force, .continue, .waitForConnectivity, .quiet, .help, .version: break
        }
    }

    private mutating func set(
        _ property: WritableKeyPath<Arguments, Int>, to value: String, _ range: ClosedRange<Int>, as name: String
    ) {
        if value.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(value), range.contains(number) {
            arguments[keyPath: property] = number
        } else {
            problems.append(
                "\(name.quotedWord) needs a whole number from \(range.lowerBound) to \(range.upperBound), not \(value.quotedWord)"
            )
        }
    }

    private mutating func setOutput(_ value: String, as name: String) {
        if value.isEmpty { problems.append("\(name.quotedWord) needs a directory, or '-' for standard output, not ''") }
        arguments.output = value == "-" ? .standardOutput : .directory(value)
    }

    private mutating func setMaximumSize(_ value: String, as name: String) {
        arguments.maximumSize = ByteCount.parse(value)
        if arguments.maximumSize == nil {
            problems.append(
                "\(name.quotedWord) needs a number of bytes such as 500000, 500k, 20M or 4G, not \(value.quotedWord)")
        }
    }

    private mutating func setIndicator(_ value: String, as name: String) {
        if let indicator = Arguments.Indicator(rawValue: value) {
            arguments.indicator = indicator
        } else {
            problems.append("\(name.quotedWord) needs auto, always or never, not \(value.quotedWord)")
        }
    }

    private mutating func addHeader(_ field: String, as name: String) {
        do {
            arguments.headers.append(try Arguments.Header(field: field))
        } catch {
            problems.append("\(name.quotedWord) \(error.problem)")
        }
    }

    private mutating func setUserAgent(_ value: String, as name: String) {
        arguments.userAgent = value
        if !Arguments.Header.isValue(value) {
            problems.append("\(name.quotedWord) needs a name without control characters, such as 'fetch/1.0'")
        }
    }

    private mutating func addURL(_ word: String) {
        do {
            arguments.urls.append(try Arguments.url(word))
        } catch {
            problems.append("\(word.quotedWord) \(error.problem)")
        }
    }
}

extension ArgumentParser {
    enum Option: String, CaseIterable {
        case output, jobs, force, `continue`, maxSize = "max-size", header, userAgent = "user-agent"
        case timeout, retries, waitForConnectivity = "wait-for-connectivity"
        case indicator, progressRows = "progress-rows", timeline, quiet, help, version

        var letter: Character? {
            switch self {
            case .output: "o"
            case .jobs: "j"
            case .continue: "c"
            case .header: "H"
            case .userAgent: "A"
            case .quiet: "q"
            case .help: "h"
            case .force, .maxSize, .timeout, .retries, .waitForConnectivity, .indicator, .progressRows, .timeline,
                .version:
                nil
            }
        }

        var takesValue: Bool {
            switch self {
            case .output, .jobs, .maxSize, .header, .userAgent, .timeout, .retries, .indicator, .progressRows,
                .timeline:
                true
            case .force, .continue, .waitForConnectivity, .quiet, .help, .version: false
            }
        }
    }
}
