import Foundation
import NetworkIndicator
import NetworkIndicatorURLSession

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The file that a download ends up in, and the temporary ones beside it that its attempts write to. Any thread.
final class DownloadTarget: Sendable {
    private struct State {
        /// Made before the first request, so that a directory which cannot be written costs nobody anything.
        var spare: Made?
        /// What responses were written to.
        var used: [Made] = []
        /// How many of those are of earlier attempts.
        var earlier = 0
        /// What the last attempt has written to, as nothing stays of a download that has failed.
        var last: Made?

        var latest: Made? { used.dropFirst(earlier).last ?? used.last { !$0.file.isDeleted } }
    }

    private struct Made {
        let file: PartialFile
        /// Its URL's path would be another where this one is relative, or has a tilde.
        let path: String
        /// How many bytes the response announced.
        var expected: Int?
    }

    private let download: Download
    private let files: TemporaryFiles
    /// Of responses that are no end, though they bring no file.
    private let retriedStatusCodes: Set<Int>
    private let state: Lock<State>

    /// - Throws: If there is a file of that name which must not be replaced, or none can be made beside it.
    init(_ download: Download, files: TemporaryFiles, retriedStatusCodes: Set<Int>) throws(FileError) {
        self.download = download
        self.files = files
        self.retriedStatusCodes = retriedStatusCodes
        var status = stat()
        if lstat(download.path, &status) == 0 {
            guard status.st_mode & S_IFMT != S_IFDIR else {
                throw FileError(action: .rename, path: download.path, code: EISDIR)
            }
            guard download.replaces else { throw FileError(action: .create, path: download.path, code: EEXIST) }
        }
        state = Lock(State(spare: try Self.make(beside: download, files)))
    }

    deinit { state.withLock { $0.spare }?.file.delete() }

    /// The file for a response; `nil` where it brings none, but is tried again.
    ///
    /// - Throws: ``DownloadError`` where it is not.
    func file(for response: URLResponse) throws -> PartialFile? {
        let status = (response as? HTTPURLResponse)?.statusCode ?? 200
        guard Self.bringsFile(status) else {
            if retriedStatusCodes.contains(status) { return nil }
            throw DownloadError.status(status)
        }
        let spare = state.withLock { state in
            defer { state.spare = nil }
            return state.spare
        }
        var made = try spare ?? Self.make(beside: download, files)
        // The length is that of what is sent; a server that compresses unasked is understood all the same.
        let encoding = (response as? HTTPURLResponse)?.value(forHTTPHeaderField: "Content-Encoding") ?? "identity"
        let length = response.expectedContentLength
        made.expected = length < 0 || encoding != "identity" ? nil : Int(length)
        state.withLock { [made] in $0.used.append(made) }
        return made.file
    }

    /// Nobody asked for a part, so 206 is not what was asked for.
    static func bringsFile(_ status: Int) -> Bool { (200..<300).contains(status) && status != 206 }

    /// An attempt begins: of what earlier ones left only that counts which it continues.
    func begin() {
        state.withLock { state in
            state.used.removeAll { $0.file.isDeleted }
            state.earlier = state.used.count
        }
    }

    /// The last attempt has ended, and what it has left is still there.
    func end() { state.withLock { $0.last = $0.latest } }

    /// Why an attempt failed, in this program's words. Between attempts, or after ``end()``.
    func reason(_ error: any Error, _ timeout: Int) -> DownloadError {
        let made = state.withLock { $0.last ?? $0.latest }
        return DownloadError(
            error, path: download.path, timeout: timeout, received: Int(made?.file.length ?? 0),
            expected: made?.expected)
    }

    /// Gives a complete file its name. Where it fails, nothing is left.
    func commit(_ url: URL?, _ response: URLResponse) throws -> Download.Outcome {
        let status = (response as? HTTPURLResponse)?.statusCode ?? 200
        // Without one it was tried again in vain.
        guard let url else { throw DownloadError.status(status) }
        let made = state.withLock { state in state.used.first { $0.file.url == url }! }
        do {
            try files.rename(made.path, to: download.path, replacing: download.replaces)
        } catch {
            files.remove(made.path)
            throw error
        }
        return Download.Outcome(status: status, size: Int(made.file.length))
    }

    private static func make(beside download: Download, _ files: TemporaryFiles) throws(FileError) -> Made {
        let letters = "abcdefghijklmnopqrstuvwxyz0123456789"
        var attempts = 0
        while true {
            let mark = String((0..<6).map { _ in letters.randomElement()! })
            let path = Directory.path(FileName.partial(of: download.name, mark: mark), in: download.directory)
            do {
                let handle = FileHandle(fileDescriptor: try files.create(path), closeOnDealloc: true)
                let file = PartialFile(url: URL(fileURLWithPath: path), handle: handle) { files.remove(path) }
                return Made(file: file, path: path)
            } catch  where error.code == EEXIST && attempts < 100 {
                attempts += 1
            }
        }
    }
}
