import Foundation
import LoopbackServer
import NetworkIndicator
import TestSupport
import Testing

@testable import NetworkIndicatorTransfers

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Downloads to a destination, and parts that are kept for a later call.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct DestinationTests {
    let bench = Bench()
    private let folder: TemporaryFolder
    private static let size = 300_000
    private let file = Response.generated(size: size)
    private let whole = Data(Body.generated(size: size, seed: 1).bytes(in: 0..<size))

    init() throws { folder = try TemporaryFolder() }

    private var keeping: DownloadOptions {
        var options = DownloadOptions()
        options.keepsPartialFile = true
        return options
    }

    private var content: Data? { try? Data(contentsOf: folder.url("x")) }

    @discardableResult
    private func download(
        _ url: URL, _ options: DownloadOptions = DownloadOptions(), _ policy: TrackedRetryPolicy = .never
    ) async throws -> URLResponse {
        let (url, response) = try await bench.session.trackedDownload(
            from: url, to: folder.url("x"), options: options, policy: policy, manager: bench.manager)
        #expect(url == folder.url("x"))
        return response
    }

    @Test func aCompleteFileReplacesTheOldOne() async throws {
        let server = try LoopbackServer()
        server.on("/", file)
        try Data("old".utf8).write(to: folder.url("x"))
        try await download(server.url("/"))
        #expect(content == whole)
        #expect(folder.names == ["x"])
    }

    @Test(arguments: [true, false]) func aFailureLeavesTheOldFile(isStatus: Bool) async throws {
        let server = try LoopbackServer()
        server.on("/", isStatus ? .status(404) : file.cut(.close, after: 10))
        try Data("old".utf8).write(to: folder.url("x"))
        let error = await failure { try await download(server.url("/")) }
        #expect(isStatus ? error is DownloadError : error is NetworkRequestError)
        #expect(content == Data("old".utf8))
        #expect(folder.names == ["x"])
    }

    @Test(arguments: [true, false]) func theLongestNameOfAFile(isKept: Bool) async throws {
        let server = try LoopbackServer()
        server.on("/", file.ranged(entityTag: "\"v1\""))
        let name = String(repeating: "é", count: 127) + "e"
        _ = try await bench.session.trackedDownload(
            from: server.url("/"), to: folder.url(name), options: isKept ? keeping : DownloadOptions(),
            manager: bench.manager)
        #expect(folder.names == [name])
    }

    @Test func aDestinationThatIsADirectoryEndsTheRequest() async throws {
        let error = await failure {
            try await bench.session.trackedDownload(
                from: #require(URL(string: "http://127.0.0.1:1/")), to: folder.url(""), manager: bench.manager,
                onEvent: bench.onEvent)
        }
        #expect(error is DownloadError)
        #expect(bench.events.entries == [.finished])
    }

    @Test func anExistingFileIsNotReplacedIfSet() async throws {
        let server = try LoopbackServer()
        server.on("/", file)
        var options = DownloadOptions()
        options.replacesDestination = false
        try await download(server.url("/"), options)
        #expect(content == whole)
        let error = await failure { try await download(server.url("/"), options) }
        guard case .file(.create, _, .EEXIST) = error as? DownloadError else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(server.hits("/") == 1)
    }

    /// The file appears while the download is under way.
    @Test func aFileThatAppearsIsNotReplaced() async throws {
        let server = try LoopbackServer()
        let name = folder.url("x")
        server.on("/") { [file] _ in
            try? Data("new".utf8).write(to: name)
            return file
        }
        var options = DownloadOptions()
        options.replacesDestination = false
        let error = await failure { try await download(server.url("/"), options) }
        guard case .notMoved(let kept, name, .EEXIST) = error as? DownloadError else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(content == Data("new".utf8))
        #expect(try Data(contentsOf: kept) == whole)
        #expect(folder.names == [kept.lastPathComponent, "x"])
    }

    @Test func aMissingFolderCausesNoRequest() async throws {
        let server = try LoopbackServer()
        let error = await failure {
            try await bench.session.trackedDownload(
                from: server.url("/"), to: folder.url("missing/x"), manager: bench.manager)
        }
        #expect((error as? DownloadError)?.description.hasSuffix("No such file or directory.") == true)
        #expect(server.requests.isEmpty)
    }

    @Test func thePartialFileHasTheGivenName() async throws {
        let server = try LoopbackServer()
        let folder = folder
        let names = Log<[String]>()
        server.on("/") { [file] _ in
            names.add(folder.names)
            return file
        }
        var options = DownloadOptions()
        options.partialFile = folder.url("p")
        try await download(server.url("/"), options)
        #expect(names.entries == [["p"]])
        #expect(folder.names == ["x"])
    }

    @Test(arguments: [false, true]) func aFileThatIsTooLong(isAnnounced: Bool) async throws {
        let server = try LoopbackServer()
        server.on("/", isAnnounced ? file.cut(.stall, after: 0) : file.chunked())
        var options = DownloadOptions()
        options.maximumBytes = Int64(Self.size) - 1
        let error = await failure { try await download(server.url("/"), options, .standard) }
        guard case .tooLarge(limit: Int64(Self.size) - 1) = error as? DownloadError else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(folder.names == [] && server.hits("/") == 1)
        options.maximumBytes = Int64(Self.size)
        server.on("/", file)
        try await download(server.url("/"), options)
        #expect(content == whole)
    }

    // MARK: Parts that are kept

    @Test func aLaterCallContinues() async throws {
        let server = try LoopbackServer()
        let ranged = file.ranged(entityTag: "\"v1\"")
        server.on("/", ranged.cut(.close, after: 100_000), ranged.cut(.close, after: 50_000), ranged)
        for _ in 1...2 {
            _ = await failure { try await download(server.url("/"), keeping) }
            #expect(folder.names == ["x.part", "x.part.info"])
        }
        try await download(server.url("/"), keeping)
        #expect(content == whole)
        #expect(folder.names == ["x"])
        #expect(server.requests.map { $0.headers["Range"] } == [nil, "bytes=100000-", "bytes=150000-"])
        #expect(server.requests.map { $0.headers["If-Range"] } == [nil, "\"v1\"", "\"v1\""])
    }

    @Test func aCancelledCallKeepsItsPart() async throws {
        let server = try LoopbackServer()
        server.on("/", file.ranged(entityTag: "\"v1\"").cut(.stall, after: 100_000), file.ranged(entityTag: "\"v1\""))
        let call = Task { [bench, folder, keeping] in
            try await bench.session.trackedDownload(
                from: server.url("/"), to: folder.url("x"), options: keeping, manager: bench.manager)
        }
        while (try? Data(contentsOf: folder.url("x.part")))?.count != 100_000 { await Task.yield() }
        call.cancel()
        #expect(await failure { try await call.value } is CancellationError)
        #expect(folder.names == ["x.part", "x.part.info"])
        await folder.url("x.part").waitUntilUnlocked()
        try await download(server.url("/"), keeping)
        #expect(content == whole)
    }

    /// The rule is the same as for retries: the same URL and the same strong tag.
    @Test(arguments: ["other tag", "other URL", "no tag", "not found"]) func aPartOfAnotherFile(why: String)
        async throws
    {
        let server = try LoopbackServer()
        let earlier = Response.generated(size: Self.size, seed: 2)
        server.on("/", (why == "no tag" ? earlier : earlier.ranged(entityTag: "\"v1\"")).cut(.close, after: 100_000))
        _ = await failure { try await download(server.url("/"), keeping) }
        #expect(folder.names == (why == "no tag" ? [] : ["x.part", "x.part.info"]))
        server.on("/now", file.ranged(entityTag: why == "other tag" ? "\"v2\"" : "\"v1\""))
        switch why {
        case "other URL": server.on("/", .redirect(to: "/now"))
        case "not found": server.on("/", .status(404))
        default: server.on("/", file.ranged(entityTag: "\"v2\""))
        }
        let error = await failure { try await download(server.url("/"), keeping) }
        if why == "not found" {
            #expect(error is DownloadError)
            #expect(folder.names == ["x.part", "x.part.info"])
        } else {
            #expect(content == whole)
            #expect(folder.names == ["x"])
        }
    }

    /// A part can't be used without its description, or with that of a shorter file.
    @Test(arguments: ["", "nonsense", "{\"entityTag\":\"\\\"v1\\\"\",\"url\":\"http://h/\",\"total\":3}"])
    func aPartWithoutItsDescription(info: String) async throws {
        let server = try LoopbackServer()
        server.on("/", file.ranged(entityTag: "\"v1\""))
        try Data("rubbish".utf8).write(to: folder.url("x.part"))
        if !info.isEmpty { try Data(info.utf8).write(to: folder.url("x.part.info")) }
        try await download(server.url("/"), keeping)
        #expect(content == whole)
        #expect(folder.names == ["x"])
    }

    @Test func twoCallsDoNotShareAPart() async throws {
        let server = try LoopbackServer()
        let ranged = file.ranged(entityTag: "\"v1\"")
        server.on("/", ranged.cut(.stall, after: 100_000), ranged)
        let arrived = Log<Bool>()
        let first = Task { [bench, folder, keeping] in
            try await bench.session.trackedDownload(
                from: server.url("/"), to: folder.url("x"), options: keeping, manager: bench.manager
            ) { event in
                if case .progress = event { arrived.add(true) }
            }
        }
        await arrived.reached(1)
        let error = await failure { try await download(server.url("/"), keeping) }
        guard case .file(.create, _, .EWOULDBLOCK) = error as? DownloadError else {
            Issue.record("\(String(describing: error))")
            return
        }
        first.cancel()
        _ = await failure { try await first.value }
    }

    /// A process that another thread starts has the file open until its `exec`. Here a copied descriptor stands for it.
    @Test func aClosedPartIsUnlockedEvenIfAnotherProcessHasItOpen() throws {
        let url = folder.url("x.part")
        let descriptor = open(url.path, O_WRONLY | O_CREAT, 0o666)
        let inherited = dup(descriptor)
        defer { close(inherited) }
        #expect(flock(descriptor, LOCK_EX) == 0)
        PartialFile(.resumable, url: url, descriptor: descriptor, lock: dup(descriptor)).end(.kept)
        #expect(throws: Never.self) { try PartialFile(resuming: url).end(.removed) }
    }

    @Test func aCompletePartIsLockedUntilItIsRenamed() throws {
        let part = folder.url("x.part")
        let file = try PartialFile(resuming: part)
        #expect(file.end(.complete) == nil)
        #expect(throws: DownloadError.self) { try PartialFile(resuming: part) }
        file.unlock()
        #expect(throws: Never.self) { try PartialFile(resuming: part).end(.removed) }
    }

    /// Another process that opened the part before it was renamed would truncate the complete file.
    @Test func aRenamedPartIsNotLocked() throws {
        let file = try PartialFile(resuming: folder.url("x.part"))
        let other = open(file.url.path, O_WRONLY)
        defer { close(other) }
        try file.move(to: folder.url("x"), replaces: true, nil)
        #expect(throws: DownloadError.self) { try PartialFile.lock(other, of: file.url) }
        try Data().write(to: file.url)  // the part of a third process
        #expect(throws: DownloadError.self) { try PartialFile.lock(other, of: file.url) }
    }

    /// No other process locks the part at any moment before it is renamed.
    @Test func aPartIsNeverStolen() async throws {
        for round in 0..<300 {
            let file = try PartialFile(resuming: folder.url("\(round).part"))
            let url = file.url
            async let thefts = Self.thefts(of: url)
            try file.move(to: folder.url("\(round)"), replaces: true, nil)
            #expect(await thefts == 0)
        }
    }

    /// Tries to lock the file, as long as it has the name.
    @concurrent private static func thefts(of url: URL) async -> Int {
        var count = 0
        while case let descriptor = open(url.path, O_WRONLY), descriptor >= 0 {
            if (try? PartialFile.lock(descriptor, of: url)) != nil { count += 1 }
            close(descriptor)
        }
        return count
    }
}
