import Foundation

extension OpenFile {
    private var descriptionURL: URL { url.appendingPathExtension("info") }

    /// In a shared directory, another user can have planted a description.
    static func description(of url: URL) -> ResumePoint? {
        let (descriptor, _) = url.appendingPathExtension("info").withPath {
            Foundation.open($0, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        }
        guard descriptor >= 0 else { return nil }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(),
            let data = try? file.readToEnd()
        else { return nil }
        return try? JSONDecoder().decode(ResumePoint.self, from: data)
    }

    /// Call this method before new bytes are written. With a stale description, a later call could combine the bytes of
    /// two versions of the file.
    func describe(_ part: ResumePoint?) throws(DownloadError) {
        let (result, code) = descriptionURL.withPath { unlink($0) }
        guard result == 0 || code == .ENOENT else { throw .file(.write, url: descriptionURL, code: code) }
        if let part { writeDescription(part) }
    }

    /// Errors are ignored, because a later call starts over if it finds no valid description.
    private func writeDescription(_ part: ResumePoint) {
        // An atomic write would create a temporary file, which would remain if the process were killed.
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC
        let (descriptor, _) = descriptionURL.withPath { Foundation.open($0, flags, 0o600) }
        guard descriptor >= 0, let data = try? JSONEncoder().encode(part) else { return }
        try? FileHandle(fileDescriptor: descriptor, closeOnDealloc: true).write(contentsOf: data)
    }

    // MARK: The end

    func end(keeping part: ResumePoint?) {
        // A later call would create another item-replacement directory, and wouldn't find a part in this one.
        if let part, directory == nil, length > 0, (try? check()) != nil { writeDescription(part) } else { remove() }
        close()
    }

    /// - Parameter destination: The file is moved unless this is its own URL.
    func complete(as destination: URL, replaces: Bool, _ part: ResumePoint?) throws(DownloadError) {
        // The file stays locked until it has its new name, because another process could otherwise truncate the file.
        defer { close() }
        do throws(DownloadError) { try check() } catch {
            remove()
            throw error
        }
        if destination == url { return }
        if let code = move(to: destination, replaces: replaces) {
            if let part { writeDescription(part) }
            throw .notMoved(url: url, destination: destination, code: code)
        }
        removeCompanions()
    }

    private func move(to destination: URL, replaces: Bool) -> POSIXErrorCode? {
        if let obstacle = destination.obstacle(replaces: replaces) { return obstacle }
        // A file system without permissions can refuse to set them. The file isn't readable by more users in this case,
        // because it was created with these permissions.
        if let mode = destination.permissions { fchmod(descriptor, mode) }
        return destination.path.withCString { target in
            if !replaces {
                // `link` fails if the name exists, so checking and creating the name are one atomic step.
                let (result, code) = url.withPath { link($0, target) }
                if result == 0 { return removeSecondName(target) }
                // If `link` fails for another reason, for example on a file system without hard links, `rename` moves
                // the file.
                if code == .EEXIST { return code }
            }
            let (result, code) = url.withPath { rename($0, target) }
            return result == 0 ? nil : code
        }
    }

    private func removeSecondName(_ target: UnsafePointer<CChar>) -> POSIXErrorCode? {
        let (result, code) = url.withPath { unlink($0) }
        if result == 0 || code == .ENOENT { return nil }
        unlink(target)
        return code
    }

    /// Call this method before the file is unlocked, so that no other process can lock the file before its removal.
    private func remove() {
        if status != nil { unlink(url.path) }
        removeCompanions()
    }

    private func removeCompanions() {
        unlink(descriptionURL.path)
        if let directory { rmdir(directory.path) }
    }
}

extension URL {
    func obstacle(replaces: Bool) -> POSIXErrorCode? {
        if scheme ?? "file" == "file", !relativePath.hasPrefix("/"),
            FileManager.default.currentDirectoryPath.isEmpty
        {
            return .ENOENT  // The working directory was removed. A relative path would start at the root directory.
        }
        if !isFileURL { return .EINVAL }
        var status = stat()
        let (result, code) = withPath { lstat($0, &status) }
        guard result == 0 else { return code == .ENOENT ? nil : code }
        guard withPath({ stat($0, &status) }).result == 0 else { return .ENXIO }  // for example, a broken symbolic link
        return switch status.st_mode & S_IFMT {
        case S_IFREG: replaces ? nil : .EEXIST
        case S_IFDIR: .EISDIR
        default: .ENXIO
        }
    }

    /// The permissions of an existing file.
    var permissions: mode_t? {
        var status = stat()
        return withPath { stat($0, &status) }.result == 0 && status.st_mode & S_IFMT == S_IFREG
            ? status.st_mode & 0o777 : nil
    }
}
