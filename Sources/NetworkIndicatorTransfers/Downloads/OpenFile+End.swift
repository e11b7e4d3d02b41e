import Foundation

extension OpenFile {
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
        url.excludeFromBackups(false)
        return destination.path.withCString { target in
            if !replaces {
                // `link` fails if the name exists, so checking and creating the name are one atomic step.
                let (result, code) = url.withPath { link($0, target) }
                if result == 0 {
                    unlink(url.path)
                    return nil
                }
                // If `link` fails for another reason, for example on a file system without hard links, `rename` moves
                // the file.
                if code == .EEXIST { return code }
            }
            let (result, code) = url.withPath { rename($0, target) }
            return result == 0 ? nil : code
        }
    }

    /// Call this method before the file is unlocked, so that no other process can lock the file before its removal.
    private func remove() {
        if status != nil { unlink(url.path) }
        removeCompanions()
    }

    private func removeCompanions() {
        unlink(url.descriptionURL.path)
        if let directory { rmdir(directory.path) }
    }
}
