import Foundation
import Testing

@testable import NetworkIndicatorTransfers

struct OpenFileTests {
    private let folder: TemporaryFolder
    private let part: URL
    private let name: URL

    init() throws {
        folder = try TemporaryFolder()
        part = folder.url("part")
        name = folder.url("x")
    }

    private func code(_ body: () throws -> Void) -> POSIXErrorCode? {
        do {
            try body()
        } catch DownloadError.file(_, part, let code) {
            return code
        } catch DownloadError.notMoved(part, name, let code) {
            return code
        } catch {
            Issue.record(error)
        }
        return nil
    }

    private func openPart() throws -> OpenFile { try OpenFile(part, mode: 0o666) }

    private func write(_ text: String) throws -> OpenFile {
        var file = try openPart()
        try file.append(Data(text.utf8))
        return file
    }

    private func point() throws -> ResumePoint {
        let text = #"{"entityTag":"\"v1\"","total":9,"request":7,"source":8}"#
        return try JSONDecoder().decode(ResumePoint.self, from: Data(text.utf8))
    }

    private func text(_ url: URL) -> String? { try? String(contentsOf: url, encoding: .utf8) }

    // MARK: Files that exist

    @Test func aFIFOWithoutAndWithAReader() {
        #expect(mkfifo(part.path, 0o666) == 0)
        #expect(code { _ = try openPart() } == .ENXIO)
        let reader = open(part.path, O_RDONLY | O_NONBLOCK)
        defer { close(reader) }
        #expect(code { _ = try openPart() } == .ENXIO)
    }

    @Test func aDirectory() {
        #expect(mkdir(part.path, 0o777) == 0)
        #expect(code { _ = try openPart() } == .EISDIR)
    }

    @Test(arguments: [true, false]) func aLink(isSymbolic: Bool) throws {
        let other = folder.url("other")
        try Data("mine".utf8).write(to: other)
        #expect((isSymbolic ? symlink(other.path, part.path) : link(other.path, part.path)) == 0)
        #expect(code { _ = try openPart() } == (isSymbolic ? .ENXIO : .EMLINK))
        #expect(try Data(contentsOf: other) == Data("mine".utf8))
    }

    @Test func aFileInTheContainerOfAnAppGroupIsNotLocked() throws {
        let container = folder.url("Shared/AppGroup/1")
        try FileManager.default.createDirectory(at: container, withIntermediateDirectories: true)
        let (first, second) = (container.appending(path: "x"), folder.url("Shared/x"))
        let files = [try OpenFile(first), try OpenFile(first), try OpenFile(second)]
        #expect(throws: DownloadError.self) { try OpenFile(second) }
        for file in files { file.close() }
    }

    @Test func aClosedFileIsUnlockedEvenIfAnotherProcessHasItOpen() throws {
        let file = try openPart()
        let inherited = dup(file.descriptor)
        defer { close(inherited) }
        file.close()
        #expect(code { try openPart().close() } == nil)
    }

    @Test func aRenamedFile() throws {
        let file = try openPart()
        let other = open(part.path, O_WRONLY)
        defer { close(other) }
        #expect(rename(part.path, folder.url("x").path) == 0)
        file.close()
        #expect(code { _ = try OpenFile.lock(other, of: part) } == .EWOULDBLOCK)
        try Data().write(to: part)
        #expect(code { _ = try OpenFile.lock(other, of: part) } == .EWOULDBLOCK)
    }

    @Test(arguments: [0, 2, 6]) func aFileOfAnotherLength(length: Int) throws {
        var file = try write("1234")
        defer { file.close() }
        #expect(truncate(part.path, off_t(length)) == 0)
        #expect(code { try file.check() } == .ESTALE)
        #expect(code { try file.append(Data("5".utf8)) } == .ESTALE)
    }

    // MARK: The final name

    @Test func theMoveItselfReplacesNoFile() throws {
        try write("1234").close()
        try Data("old".utf8).write(to: name)
        #expect(!OpenFile.renameExclusively(part, to: name))
        #expect(text(name) == "old" && text(part) == "1234")
        #expect(OpenFile.renameExclusively(part, to: folder.url("y")))
        #expect(folder.names == ["x", "y"])
    }

    /// Another program can create the file during the download.
    @Test(arguments: [true, false]) func aFileThatExistsAtTheEnd(replaces: Bool) throws {
        try Data("old".utf8).write(to: name)
        let file = try write("1234")
        #expect(code { try file.complete(as: name, replaces: replaces, nil) } == (replaces ? nil : .EEXIST))
        #expect(text(name) == (replaces ? "1234" : "old") && text(part) == (replaces ? nil : "1234"))
    }

    @Test(arguments: ["directory", "FIFO", "dangling link", "device"]) func anIrregularFile(kind: String) throws {
        let url = kind == "device" ? URL(filePath: "/dev/null") : name
        let made =
            switch kind {
            case "directory": mkdir(name.path, 0o777)
            case "FIFO": mkfifo(name.path, 0o666)
            case "dangling link": symlink("missing", name.path)
            default: Int32(0)
            }
        #expect(made == 0)
        for replaces in [true, false] {
            #expect(url.obstacle(replaces: replaces) == (kind == "directory" ? .EISDIR : .ENXIO))
        }
        guard kind != "device" else { return }
        let file = try write("1234")
        let failure = code { try file.complete(as: name, replaces: true, try? point()) }
        #expect(failure == (kind == "directory" ? .EISDIR : .ENXIO))
        #expect(folder.names == ["part", "part.info", "x"] && text(part) == "1234")
    }

    @Test func aLinkToAFile() throws {
        try Data("old".utf8).write(to: folder.url("target"))
        #expect(symlink("target", name.path) == 0)
        #expect(name.obstacle(replaces: true) == nil)
        #expect(name.obstacle(replaces: false) == .EEXIST)
    }

    @Test(arguments: [true, false], [true, false]) func aChangedFile(isReplaced: Bool, isComplete: Bool) throws {
        let file = try write("1234")
        if isReplaced {
            #expect(unlink(part.path) == 0)
            try Data("abcd".utf8).write(to: part)
        } else {
            #expect(truncate(part.path, 1) == 0)
        }
        if isComplete {
            #expect(code { try file.complete(as: name, replaces: true, nil) } == .ESTALE)
        } else {
            file.end(keeping: try point())
        }
        #expect(folder.names == (isReplaced ? ["part"] : []) && text(part) == (isReplaced ? "abcd" : nil))
    }

    @Test func aFileIsNeverStolen() async throws {
        for round in 0..<100 {
            let file = try OpenFile(part)
            async let thefts = Self.thefts(of: part)
            try file.complete(as: folder.url("\(round)"), replaces: round.isMultiple(of: 2), nil)
            #expect(await thefts == 0)
        }
    }

    @concurrent private static func thefts(of url: URL) async -> Int {
        var count = 0
        while case let descriptor = open(url.path, O_WRONLY), descriptor >= 0 {
            if (try? OpenFile.lock(descriptor, of: url)) != nil { count += 1 }
            close(descriptor)
        }
        return count
    }

    // MARK: The end

    @Test func aFileThatIsKept() throws {
        let file = try write("1234")
        file.end(keeping: try point())
        #expect(folder.names == ["part", "part.info"])
        let next = try OpenFile(part)
        #expect(try next.length == 4 && ResumePoint(for: part) == point())
        next.end(keeping: nil)
        #expect(folder.names == [])
    }

    // MARK: The description

    @Test func anEarlierDescriptionIsReplaced() throws {
        let file = try write("1234")
        defer { file.end(keeping: nil) }
        try Data("old".utf8).write(to: folder.url("part.info"))
        try file.describe(point())
        #expect(try ResumePoint(for: part) == point())
        try file.describe(nil)
        #expect(folder.names == ["part"])
    }

    @Test func aDescriptionIsNotWrittenThroughALink() throws {
        let file = try write("1234")
        #expect(symlink(name.path, folder.url("part.info").path) == 0)
        try file.end(keeping: point())
        #expect(text(name) == nil)
    }

    @Test(
        .enabled(if: geteuid() == 0, "Only root can create a file of another user."),
        arguments: ["another user", "link", "FIFO", "directory"])
    func aPlantedDescription(kind: String) throws {
        try write("1234").end(keeping: point())
        let description = folder.url("part.info")
        let file = try OpenFile(part)
        #expect(try ResumePoint(for: part) == point())
        if kind == "another user" {
            #expect(chown(description.path, 12_345, 12_345) == 0)
        } else {
            #expect(rename(description.path, name.path) == 0)
        }
        switch kind {
        case "link": #expect(symlink(name.path, description.path) == 0)
        case "FIFO": #expect(mkfifo(description.path, 0o600) == 0)
        case "directory": #expect(mkdir(description.path, 0o700) == 0)
        default: break
        }
        #expect(ResumePoint(for: part) == nil)
        file.end(keeping: nil)
        rmdir(description.path)
    }
}
