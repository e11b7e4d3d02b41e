import Foundation

#if canImport(FoundationNetworking)
import CLibcurl
#endif

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
        return Self.rename(url, to: destination, replaces: replaces)
    }

    /// Unless an existing file is replaced, checking and creating the name are one atomic step, if the file system
    /// supports it.
    static func rename(_ url: URL, to destination: URL, replaces: Bool) -> POSIXErrorCode? {
        destination.path.withCString { target -> POSIXErrorCode? in
            if !replaces {
                #if canImport(Darwin)
                let (result, code) = url.withPath { renamex_np($0, target, UInt32(RENAME_EXCL)) }
                #else
                let (result, code) = url.withPath { ni_rename_exclusively($0, target) }
                #endif
                if result == 0 { return nil }
                guard [EINVAL, ENOSYS, ENOTSUP].contains(code.rawValue) else { return code }
            }
            let (result, code) = url.withPath { Foundation.rename($0, target) }
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
