public import Foundation
import NetworkIndicator

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension URL {
    /// A safe file name for the contents of this URL, which can also serve as a label.
    ///
    /// The name is the last component of the URL's path, without percent encoding and with these changes:
    /// - Slashes, backslashes, control characters, line separators and characters that change the direction of text
    ///   become underscores.
    /// - Dots and spaces at the beginning are removed, because a leading dot would hide the file. A leading `-` or `~`
    ///   receives an underscore before it, because a shell would treat the name as an option or as a home directory.
    /// - A name of more than 240 bytes in UTF-8 is truncated before its extension.
    /// - An empty name becomes `index.html`.
    ///
    /// A download to a directory uses this name, as in `trackedDownload(from: url, to: .currentDirectory())`. The name
    /// is never empty, `.` or `..`, and is always a single path component. Different URLs can have the same name.
    public var suggestedFilename: String {
        components.last?.cleanedFilename ?? "index.html"
    }

    /// A safe relative path for the contents of this URL, such as `a/b/c.txt`, which keeps the files of a server apart.
    ///
    /// The path has the components of the URL's path, each with the changes that ``suggestedFilename`` lists. Empty
    /// components, `.` and `..` are left out, so the path is never absolute, and never leads outside a directory. The
    /// last component is the `suggestedFilename`. A download doesn't create directories:
    ///
    /// ```swift
    /// let file = URL.currentDirectory().appending(path: url.suggestedPath)
    /// try FileManager.default.createDirectory(
    ///     at: file.deletingLastPathComponent(),
    ///     withIntermediateDirectories: true)
    /// ```
    public var suggestedPath: String {
        (components.dropLast().compactMap(\.cleanedFilename) + [suggestedFilename]).joined(separator: "/")
    }

    private var components: [Substring] {
        path(percentEncoded: true).split(separator: "/", omittingEmptySubsequences: false)
    }
}

extension Substring {
    /// `nil` if nothing remains of the component.
    fileprivate var cleanedFilename: String? {
        // A dot with a combining mark also hides the file, so this code compares scalars instead of characters.
        let scalars = (removingPercentEncoding ?? String(self)).unicodeScalars
            .map { $0.isPrintable && $0 != "/" && $0 != "\\" ? $0 : "_" }
            .drop { $0 == "." || $0 == " " }
        let name = String(String.UnicodeScalarView(scalars))
        let isMisread = name.unicodeScalars.first.map { ["-", "~"].contains($0) } ?? false
        return name.isEmpty ? nil : ((isMisread ? "_" : "") + name).truncatedFilename(toBytes: 240)
    }
}

extension String {
    func truncatedFilename(toBytes limit: Int) -> String {
        if utf8.count <= limit { return self }
        let end = dropFirst().lastIndex(of: ".") ?? endIndex
        let suffix = self[end...].utf8.count > 20 ? "" : self[end...]  // A longer one is no extension.
        var stem = self[..<(suffix.isEmpty ? endIndex : end)]
        while stem.utf8.count + suffix.utf8.count > limit { stem.unicodeScalars.removeLast() }
        return String(stem + suffix)
    }
}

extension URL {
    /// A path that ends in a slash belongs to a directory, even if the directory doesn't exist.
    func file(for request: URLRequest) -> URL {
        let mode = isFileURL ? status()?.st_mode : nil
        guard hasDirectoryPath || mode.map({ $0 & S_IFMT }) == S_IFDIR else { return self }
        return appendingPathComponent(request.url?.suggestedFilename ?? "", isDirectory: false)
    }

    /// An existing file that a call returns instead of sending a request.
    func existingFile(for request: URLRequest) -> (URL, URLResponse)? {
        let file = file(for: request)
        guard file.obstacle(replaces: false) == .EEXIST else { return nil }
        let size = try? file.resourceValues(forKeys: [.fileSizeKey]).fileSize
        let response = URLResponse(
            url: request.url ?? file, mimeType: nil, expectedContentLength: size ?? -1, textEncodingName: nil)
        return (file, response)
    }

    func obstacle(replaces: Bool) -> POSIXErrorCode? {
        // A path that isn't UTF-8 becomes empty.
        guard isFileURL, !path.isEmpty else { return .EPROTONOSUPPORT }
        var link = stat()
        let (result, code) = withPath { lstat($0, &link) }
        guard result == 0 else { return code == .ENOENT ? nil : code }
        guard let status = self.status() else { return .ENXIO }  // for example, a broken symbolic link
        return switch status.st_mode & S_IFMT {
        case S_IFREG: replaces ? nil : .EEXIST
        case S_IFDIR: .EISDIR
        default: .ENXIO
        }
    }

    /// The path up to the last slash. Taking the URL of this directory took 4 % of the CPU time of a small download. A
    /// combining mark at the beginning of the name forms one character with the slash, so this code counts scalars.
    var directoryPath: String { String(path.unicodeScalars.dropLast(lastPathComponent.unicodeScalars.count)) }

    /// The permissions of an existing file.
    var permissions: mode_t? {
        status().flatMap { $0.st_mode & S_IFMT == S_IFREG ? $0.st_mode & 0o777 : nil }
    }
}
