import Foundation
import Testing

@testable import NetworkIndicatorTransfers

struct OpenFileTests {
    private let folder: TemporaryFolder
    private let part: URL

    init() throws {
        folder = try TemporaryFolder()
        part = folder.url("part")
    }

    private func code(_ body: () throws -> Void) -> POSIXErrorCode? {
        do {
            try body()
        } catch DownloadError.file(_, part, let code) {
            return code
        } catch {
            Issue.record(error)
        }
        return nil
    }

    private func open() throws -> OpenFile { try OpenFile(part, mode: 0o666) }

    @Test func aFIFOWithoutAndWithAReader() {
        #expect(mkfifo(part.path, 0o666) == 0)
        #expect(code { _ = try open() } == .ENXIO)
        let reader = Foundation.open(part.path, O_RDONLY | O_NONBLOCK)
        defer { close(reader) }
        #expect(code { _ = try open() } == .ENXIO)
    }

    @Test func aDirectory() {
        #expect(mkdir(part.path, 0o777) == 0)
        #expect(code { _ = try open() } == .EISDIR)
    }

    @Test(arguments: [true, false]) func aLink(isSymbolic: Bool) throws {
        let other = folder.url("other")
        try Data("mine".utf8).write(to: other)
        #expect((isSymbolic ? symlink(other.path, part.path) : link(other.path, part.path)) == 0)
        #expect(code { _ = try open() } == (isSymbolic ? .ENXIO : .EMLINK))
        #expect(try Data(contentsOf: other) == Data("mine".utf8))
    }

    /// The rule for an app that the system suspends.
    @Test func onlyFilesOfTheAppsOwnContainerAreLocked() throws {
        let home = folder.url("home")
        try FileManager.default.createDirectory(at: home, withIntermediateDirectories: false)
        try Data().write(to: home.appending(path: "x"))
        #expect(symlink(home.path, folder.url("link").path) == 0)
        let files = ["home/x", "link/x", "home2/x", "x", "home"].map(folder.url)
        for container in [home.path, folder.url("link").path] {
            #expect(files.map { $0.mayBeLocked(home: container) } == [true, true, false, false, false])
        }
        #expect(part.mayBeLocked(home: nil))
    }

    @Test func aClosedFileIsUnlockedEvenIfAnotherProcessHasItOpen() throws {
        let file = try open()
        let inherited = dup(file.descriptor)
        defer { close(inherited) }
        file.close()
        #expect(code { try open().close() } == nil)
    }

    @Test func aRenamedFile() throws {
        let file = try open()
        let other = Foundation.open(part.path, O_WRONLY)
        defer { close(other) }
        #expect(rename(part.path, folder.url("x").path) == 0)
        file.close()
        #expect(code { _ = try OpenFile.lock(other, of: part) } == .EWOULDBLOCK)
        try Data().write(to: part)
        #expect(code { _ = try OpenFile.lock(other, of: part) } == .EWOULDBLOCK)
    }

    @Test(arguments: [0, 2, 6]) func aFileOfAnotherLength(length: Int) throws {
        var file = try open()
        defer { file.close() }
        try file.append(Data("1234".utf8))
        #expect(truncate(part.path, off_t(length)) == 0)
        #expect(code { try file.check() } == .ESTALE)
        #expect(code { try file.append(Data("5".utf8)) } == .ESTALE)
    }
}
