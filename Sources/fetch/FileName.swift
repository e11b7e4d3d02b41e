import Foundation

/// Creates file names from URLs, which may be malicious.
enum FileName {
    /// Returns the last part of the URL's path as a name that is safe in a directory and on a command line.
    ///
    /// Slashes, backslashes and unprintable characters become underscores. Leading dots and spaces are removed, because
    /// a leading dot could hide the file or refer to another directory. A leading hyphen gets an underscore before it,
    /// because commands would treat the name as an option.
    static func name(for url: URL) -> String {
        let last = url.path(percentEncoded: true).split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        if last.isEmpty { return "index.html" }
        // A dot with a combining mark also hides the file, but isn't equal to the `Character` ".". This code therefore
        // examines scalars.
        let scalars = (last.removingPercentEncoding ?? String(last)).unicodeScalars
            .map { $0.isPrintable && $0 != "/" && $0 != "\\" ? $0 : "_" }
            .drop { $0 == "." || $0 == " " }
        let visible = String(String.UnicodeScalarView(scalars))
        if visible.isEmpty { return "download" }
        return visible.unicodeScalars.first == "-" ? "_" + visible : visible
    }

    /// Returns a different name for each URL. The second file with the same name is `name-2.txt`, the third
    /// `name-3.txt`. Names that differ only in case are treated as the same name, as on most Macs.
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
