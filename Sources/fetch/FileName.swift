import Foundation

/// Makes file names from URLs, which may be malicious.
enum FileName {
    /// The limit of common file systems, in bytes of UTF-8.
    private static let longest = 255

    /// Whether `A` and `a` are one file, as on Apple's systems by default.
    #if canImport(Darwin)
    static let ignoresCase = true
    #else
    static let ignoresCase = false
    #endif

    /// Returns the name for a URL: the last part of its path, made safe. It is percent-decoded if that gives valid UTF-8.
    static func name(for url: URL) -> String {
        let last = url.path(percentEncoded: true).split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        return last.isEmpty ? "index.html" : safe(last.removingPercentEncoding ?? String(last))
    }

    /// Returns a different name for each URL. The second file with the same name is `name-2.txt`, the third
    /// `name-3.txt`.
    static func names(for urls: [URL], ignoringCase: Bool = ignoresCase) -> [String] {
        func key(_ name: String) -> String { ignoringCase ? name.lowercased() : name }
        var taken: Set<String> = []
        // The number to try next, because searching from 2 each time would be quadratic.
        var numbers: [String: Int] = [:]
        return urls.map { url in
            let name = name(for: url)
            var candidate = name
            while !taken.insert(key(candidate)).inserted {
                let number = numbers[key(name), default: 2]
                numbers[key(name)] = number + 1
                candidate = cut(name, adding: "-\(number)")
            }
            return candidate
        }
    }

    /// Returns the paths for URLs in a directory.
    static func paths(for urls: [URL], in directory: String) -> [String] {
        names(for: urls).map { Directory.path($0, in: directory) }
    }

    /// Returns a name that is safe in a directory, on a command line and on a terminal.
    ///
    /// Slashes and characters that control a terminal become underscores. Dots at the beginning are removed, because
    /// they could hide the file or leave the directory. A hyphen at the beginning is replaced, because it would make
    /// the name an option.
    static func safe(_ raw: String) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in raw.unicodeScalars {
            scalars.append(scalar.isPrintable && scalar != "/" && scalar != "\\" ? scalar : "_")
        }
        // This compares scalars, because a dot with a combining mark is another character, but still hides the file.
        var visible = scalars.drop { $0 == "." || $0 == " " }
        while visible.last == " " { visible.removeLast() }
        let prefix = visible.first == "-" ? "_" : ""
        let name = cut(prefix + String(prefix.isEmpty ? visible : visible.dropFirst()))
        return name.isEmpty ? "download" : name
    }

    /// Adds a suffix before the extension: a dot that isn't the first character, and at most 16 bytes after it. If the
    /// result would be too long, characters before the suffix are removed.
    private static func cut(_ name: String, adding suffix: String = "") -> String {
        let dot = name.lastIndex { $0 == "." } ?? name.startIndex
        let hasExtension = dot > name.startIndex && name[dot...].utf8.count <= 17
        var stem = hasExtension ? name[..<dot] : name[...]
        let end = suffix + (hasExtension ? name[dot...] : "")
        while stem.utf8.count + end.utf8.count > longest { stem.removeLast() }
        return stem + end
    }
}
