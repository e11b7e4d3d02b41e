import Foundation

/// The error of an invalid command line, or of a part of it.
struct UsageError: Error, CustomStringConvertible {
    /// One line for each problem. The problem of a part is the end of such a line. The caller adds its beginning: the
    /// part or its option.
    let problems: [String]

    init(problems: [String]) { self.problems = problems }

    init(_ problem: String) { problems = [problem] }

    var description: String { problems.joined(separator: "\n") }
}

extension Arguments {
    /// Parses the words that follow the program's name, and reads the lists that they name.
    ///
    /// - Throws: ``UsageError`` with every problem found, unless ``text`` is printed.
    init(_ words: [String]) throws(UsageError) {
        var parser = ArgumentParser()
        parser.parse(words)
        if parser.arguments.text == nil, !parser.problems.isEmpty { throw UsageError(problems: parser.problems) }
        self = parser.arguments
    }
}

/// Parses the words of a command line into arguments and a list of problems.
///
/// It accepts `--name value`, `--name=value`, `-n value`, `-nvalue`, several one-letter flags in one word, and `--`
/// before URLs that begin with a hyphen. If an option is repeated, the last value is used. Headers and lists of URLs
/// accumulate.
private struct ArgumentParser {
    var arguments = Arguments()
    var problems: [String] = []

    mutating func parse(_ words: [String]) {
        var rest = words[...]
        while let word = rest.popFirst() {
            if word == "--" {
                while let url = rest.popFirst() { addURL(url) }
            } else if word.hasPrefix("-"), word != "-" {
                parseOption(word, in: word, &rest)
            } else {
                addURL(word)
            }
        }
        guard arguments.text == nil, problems.isEmpty else { return }
        for list in arguments.lists { readList(list) }
        if problems.isEmpty { problems = arguments.contradictions }
    }

    /// Parses an option. If it needs a value that isn't attached to it, the value is the next word.
    ///
    /// - Parameters:
    ///   - text: `--name`, `--name=value`, `-n`, `-nvalue`, or several letters such as `-abc`.
    ///   - word: The word that the text belongs to. The text is shorter if letters before it have been parsed.
    private mutating func parseOption(_ text: String, in word: String, _ rest: inout ArraySlice<String>) {
        let isLong = text == word && word.hasPrefix("--")
        let name = String(isLong ? word.prefix { $0 != "=" } : text.prefix(2))
        let attached = text.dropFirst(name.count)
        guard let option = Option.all.first(where: { $0.isNamed(name) }) else {
            problems.append(
                "unknown option \(name.quotedWord)" + (isLong || word == name ? "" : " in \(word.quotedWord)"))
            return
        }
        do {
            switch option.effect {
            case .flag(let set):
                guard attached.isEmpty || !isLong else { throw UsageError("takes no value") }
                set(&arguments)
                if !attached.isEmpty { parseOption("-\(attached)", in: word, &rest) }
            case .value(let set):
                let value = attached.isEmpty ? rest.popFirst() : String(attached.dropFirst(isLong ? 1 : 0))
                guard let value else { throw UsageError("needs a value") }
                try set(&arguments, value)
            }
        } catch {
            problems.append("\(name.quotedWord) \(error)")
        }
    }

    private mutating func addURL(_ word: String, from place: String = "") {
        do {
            arguments.urls.append(try Self.url(word))
        } catch {
            problems.append("\(place)\(word.quotedWord) \(error)")
        }
    }

    private static func url(_ word: String) throws(UsageError) -> URL {
        guard var parts = URLComponents(string: word), let host = parts.host, !host.isEmpty,
            let scheme = parts.scheme?.lowercased()
        else { throw UsageError("is not an http or https URL") }
        guard scheme == "http" || scheme == "https" else {
            throw UsageError("is not an http or https URL: fetch cannot load '\(scheme):'")
        }
        if let range = parts.rangeOfPort, !range.isEmpty, !(1...65_535).contains(Int(parts.string![range]) ?? 0) {
            throw UsageError("has a port that is not from 1 to 65535")
        }
        #if canImport(FoundationNetworking)
        if host.contains(":") {
            // https://github.com/swiftlang/swift-corelibs-foundation/issues/5496
            throw UsageError("has an IPv6 address, which URLSession on Linux does not support")
        }
        #endif
        // URLSession on Linux accepts schemes in lower case only.
        parts.scheme = scheme
        guard let url = parts.url else { throw UsageError("is not an http or https URL") }
        return url
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
