import Foundation

enum FileName {
    /// A leading dot would hide the file, and commands would treat a name with a leading hyphen as an option.
    static func name(for url: URL) -> String {
        let last = url.path(percentEncoded: true).split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        // A dot with a combining mark also hides the file, so this code compares scalars instead of characters.
        let scalars = (last.removingPercentEncoding ?? String(last)).unicodeScalars
            .map { $0.isPrintable && $0 != "/" && $0 != "\\" ? $0 : "_" }
            .drop { $0 == "." || $0 == " " }
        let visible = String(String.UnicodeScalarView(scalars))
        if visible.isEmpty { return "index.html" }
        return visible.unicodeScalars.first == "-" ? "_" + visible : visible
    }

    static func names(for urls: [URL]) -> [String] {
        var taken: Set<String> = []
        return urls.map { url in
            let name = name(for: url)
            var (candidate, number) = (name, 2)
            while !taken.insert(candidate.lowercased()).inserted {
                let dot = name.dropFirst().lastIndex(of: ".") ?? name.endIndex
                candidate = "\(name[..<dot])-\(number)\(name[dot...])"
                number += 1
            }
            return candidate
        }
    }
}
