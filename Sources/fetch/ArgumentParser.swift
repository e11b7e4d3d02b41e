import Foundation

/// Parses the words of a command line into arguments and a list of problems.
///
/// It accepts `--name value`, `--name=value`, `-n value`, `-nvalue`, several one-letter flags in one word, and `--`
/// before URLs that begin with a hyphen. If an option is repeated, the last value is used. Headers and lists of URLs add
/// up.
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
        guard special == nil, problems.isEmpty else { return }
        for list in arguments.lists { readList(list) }
        if problems.isEmpty { problems = arguments.contradictions }
    }

    private mutating func parseLong(_ word: String, _ rest: inout ArraySlice<String>) {
        let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = "--" + parts[0]
        let attached = parts.count > 1 ? String(parts[1]) : nil
        guard let option = Option.all.first(where: { $0.name == parts[0] }) else {
            problems.append("unknown option \(name.quotedWord)")
            return
        }
        if attached != nil, !option.takesValue {
            problems.append("\(name.quotedWord) takes no value")
        } else {
            apply(option, attached, &rest, as: name)
        }
    }

    private mutating func parseLetters(_ word: String, _ rest: inout ArraySlice<String>) {
        var letters = word.dropFirst()
        while let letter = letters.popFirst() {
            let name = "-\(letter)"
            guard let option = Option.all.first(where: { $0.letter == letter }) else {
                problems.append("unknown option \(name.quotedWord)" + (word == name ? "" : " in \(word.quotedWord)"))
                return
            }
            apply(option, option.takesValue && !letters.isEmpty ? String(letters) : nil, &rest, as: name)
            if option.takesValue { return }
        }
    }

    private mutating func apply(
        _ option: Option, _ attached: String?, _ rest: inout ArraySlice<String>, as name: String
    ) {
        do {
            switch option.effect {
            case .flag(let set): set(&arguments)
            case .command(let command): special = special ?? command
            case .value(let set):
                guard let value = attached ?? rest.popFirst() else { throw RefusedValue(problem: "needs a value") }
                try set(&arguments, value)
            }
        } catch {
            problems.append("\(name.quotedWord) \(error)")
        }
    }

    private mutating func addURL(_ word: String, from place: String = "") {
        do {
            arguments.urls.append(try Arguments.url(word))
        } catch {
            problems.append("\(place)\(word.quotedWord) \(error)")
        }
    }

    /// Reads URLs from a file, or from standard input if its name is `-`.
    private mutating func readList(_ path: String) {
        let name = path == "-" ? "standard input" : path.quotedWord
        let descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
        var (bytes, buffer): ([UInt8], [UInt8]) = ([], .init(repeating: 0, count: 1 << 16))
        while case let count = descriptor < 0 ? -1 : read(descriptor, &buffer, buffer.count), count != 0 {
            guard count > 0 || errno == EINTR else {
                return problems.append("cannot read \(name): \(String(cString: strerror(errno)))")
            }
            bytes += buffer.prefix(max(0, count))
        }
        if path != "-" { close(descriptor) }
        let blanks = CharacterSet.whitespaces.union(["\u{FEFF}"])
        let lines = String(decoding: bytes, as: UTF8.self).split(omittingEmptySubsequences: false) { $0.isNewline }
        for (index, line) in lines.enumerated() {
            let word = line.trimmingCharacters(in: blanks)
            if !word.isEmpty, !word.hasPrefix("#") { addURL(word, from: "line \(index + 1) of \(name): ") }
        }
    }
}
