import Foundation

/// A description file, beside the partial file, holds the resume point of the part.
extension ResumePoint {
    /// In a shared directory, another user can have planted a description.
    init?(for part: URL) {
        let (descriptor, _) = part.descriptionURL.withPath {
            Foundation.open($0, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        }
        guard descriptor >= 0 else { return nil }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(),
            let data = try? file.readToEnd(), let point = try? JSONDecoder().decode(Self.self, from: data)
        else { return nil }
        self = point
    }
}

extension OpenFile {
    /// Call this method before new bytes are written. With a stale description, a later call could combine the bytes of
    /// two versions of the file.
    func describe(_ part: ResumePoint?) throws(DownloadError) {
        let (result, code) = url.descriptionURL.withPath { unlink($0) }
        guard result == 0 || code == .ENOENT else { throw .file(.write, url: url.descriptionURL, code: code) }
        if let part { writeDescription(part) }
    }

    /// Errors are ignored, because a later call starts over if it finds no valid description.
    func writeDescription(_ part: ResumePoint) {
        // An atomic write would create a temporary file, which would remain if the process were killed.
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC
        let (descriptor, _) = url.descriptionURL.withPath { Foundation.open($0, flags, 0o600) }
        guard descriptor >= 0, let data = try? JSONEncoder().encode(part) else { return }
        try? FileHandle(fileDescriptor: descriptor, closeOnDealloc: true).write(contentsOf: data)
    }
}

extension URL {
    var descriptionURL: URL { appendingPathExtension("info") }
}
