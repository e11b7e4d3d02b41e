import Foundation
import LoopbackServer
import NetworkIndicator
import TestSupport
import Testing

@testable import NetworkIndicatorTransfers

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// File systems that refuse, and names that other things have.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct FileFaultTests {
    let bench = Bench()
    private let folder: TemporaryFolder
    private let server: LoopbackServer
    private static let size = 300_000
    private let file = Response.generated(size: size)
    private let whole = Data(Body.generated(size: size, seed: 1).bytes(in: 0..<size))

    init() throws {
        folder = try TemporaryFolder()
        server = try LoopbackServer()
        server.on("/", file)
    }

    private var keeping: DownloadOptions {
        var options = DownloadOptions()
        options.keepsPartialFile = true
        return options
    }

    @discardableResult
    private func download(
        to url: URL? = nil, _ options: DownloadOptions = DownloadOptions(),
        onEvent: (@Sendable (AttemptEvent) -> Void)? = nil
    ) async throws -> URLResponse {
        try await bench.session.trackedDownload(
            from: server.url("/"), to: url ?? folder.url("x"), options: options, policy: .never,
            manager: bench.manager, onEvent: onEvent
        ).1
    }

    /// Opening a FIFO would wait for its reader.
    @Test(arguments: [false, true]) func aPartThatIsNoFile(isDirectory: Bool) async throws {
        let part = folder.url("x.part")
        #expect((isDirectory ? mkdir(part.path, 0o777) : mkfifo(part.path, 0o666)) == 0)
        let error = try #require(await failure { try await download(keeping) } as? DownloadError)
        let reason = isDirectory ? "Is a directory" : "it is not a regular file"
        #expect(error.description == "Cannot create \(part.path): \(reason).")
        #expect(folder.names == ["x.part"] && server.requests.isEmpty)
    }

    /// A reader lets the FIFO be opened.
    @Test func aFIFOWithAReader() async throws {
        let part = folder.url("x.part")
        #expect(mkfifo(part.path, 0o666) == 0)
        let reader = open(part.path, O_RDONLY | O_NONBLOCK)
        defer { close(reader) }
        let error = try #require(await failure { try await download(keeping) } as? DownloadError)
        #expect(error.reason == "it is not a regular file")
    }

    @Test func aDestinationThatIsNoFileURL() async throws {
        let url = try #require(URL(string: "https://me:secret@h/x"))
        let error = try #require(await failure { try await download(to: url) } as? DownloadError)
        #expect(error.description == "Cannot create https://h/x: it is not a file URL.")
        #expect(server.requests.isEmpty)
    }

    @Test func aPartInUse() async throws {
        let part = try PartialFile(resuming: folder.url("x.part"))
        defer { part.end(.removed) }
        let error = try #require(await failure { try await download(keeping) } as? DownloadError)
        #expect(error.reason == "another download is using it")
    }

    @Test func anErrorStatusNamesTheURL() async throws {
        server.on("/", .status(404))
        let error = try #require(await failure { try await download() } as? DownloadError)
        #expect(error.description == "The server responded to \(server.url("/").absoluteString) with status 404.")
    }

    /// A directory with the name of the destination appears during the download.
    @Test(arguments: [false, true]) func aCompleteFileThatCannotBeMoved(isKept: Bool) async throws {
        let name = folder.url("x")
        server.on("/") { [file] _ in
            mkdir(name.path, 0o777)
            return file
        }
        let options = isKept ? keeping : DownloadOptions()
        let error = await failure { try await download(options) }
        guard case .notMoved(let kept, name, .EISDIR) = error as? DownloadError else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(try Data(contentsOf: kept) == whole)
        #expect(error?.localizedDescription.contains("It is kept as \(kept.path).") == true)
        #expect(folder.names == (isKept ? ["x", "x.part", "x.part.info"] : [kept.lastPathComponent, "x"]))
        guard isKept else { return }
        // The next call needs no request, even though the server sent no validator.
        rmdir(name.path)
        let events = Log<AttemptEvent>()
        let response = try await download(keeping, onEvent: events.add)
        #expect((response as? HTTPURLResponse)?.statusCode == 200)
        #expect(response.url == server.url("/"))
        #expect(try Data(contentsOf: name) == whole)
        #expect(folder.names == ["x"] && server.hits("/") == 1)
        #expect(events.entries.count == 2)  // progress, finished
    }

    /// Stands in for a hard link on file systems without them.
    @Test func aNameThatIsNewWithoutAHardLink() throws {
        let part = try PartialFile(creating: folder.url("p"))
        defer { part.end(.removed) }
        try part.write(whole)
        try Data("old".utf8).write(to: folder.url("x"))
        #expect(part.replaceNewFile(folder.url("x")) == .EEXIST)
        #expect(try Data(contentsOf: folder.url("x")) == Data("old".utf8))
        #expect(part.replaceNewFile(folder.url("missing/y")) == .ENOENT)
        #expect(part.replaceNewFile(folder.url("y")) == nil)
        #expect(try Data(contentsOf: folder.url("y")) == whole)
        #expect(folder.names == ["x", "y"])
        // The file has another name now, so it can't be moved again.
        #expect(part.replaceNewFile(folder.url("z")) == .ENOENT)
        #expect(folder.names == ["x", "y"])
    }

    @Test func aCompletePartOfAnotherURLIsNotUsed() async throws {
        let part = try PartialFile(resuming: folder.url("x.part"))
        try part.write(whole.prefix(3))
        try part.describe(
            try JSONDecoder().decode(
                ResumePoint.self, from: Data(#"{"request":"http://h/","url":"http://h/","total":3}"#.utf8)))
        part.end(.kept)
        try await download(keeping)
        #expect(try Data(contentsOf: folder.url("x")) == whole)
        #expect(server.hits("/") == 1)
    }

    /// A request is made with the scheme in lower case.
    @Test func theSchemeOfACompletePart() throws {
        let part = try JSONDecoder().decode(
            ResumePoint.self, from: Data(#"{"request":"http://h/","url":"http://h/","total":3}"#.utf8))
        let requests = try ["HTTP://h/#x", "HTTPS://h/"].map { URLRequest(url: try #require(URL(string: $0))) }
        #expect(requests.map { part.isComplete(3, for: $0) } == [true, false])
    }

    /// An atomic write leaves its temporary file behind if the process is killed.
    @Test func theDescriptionIsWrittenInPlace() throws {
        let part = try PartialFile(resuming: folder.url("x.part"))
        defer { part.end(.removed) }
        let info = try JSONDecoder().decode(
            ResumePoint.self, from: Data(#"{"entityTag":"\"v1\"","url":"http://h/"}"#.utf8))
        func inode() -> ino_t {
            var status = stat()
            return lstat(folder.url("x.part.info").path, &status) == 0 ? status.st_ino : 0
        }
        try part.describe(info)
        let first = inode()
        try part.describe(info)
        #expect(first != 0 && inode() == first)
        #expect(part.info == info)
    }

    // MARK: Events

    @Test func theFileIsInPlaceBeforeTheLastEvent() async throws {
        let name = folder.url("x")
        let events = Log<String>()
        try await download { event in
            switch event {
            case .progress(let progress): events.add("\(progress.completedBytes)")
            case .finished: events.add("finished, \((try? Data(contentsOf: name))?.count ?? 0)")
            default: break
            }
        }
        #expect(events.entries.suffix(2) == ["\(Self.size)", "finished, \(Self.size)"])
    }

    /// The handler still runs on the delegate queue when the call ends.
    @Test func noEventComesAfterTheCall() async {
        let log = Log<String>()
        let mayReturn = DispatchSemaphore(value: 0)
        let relay = EventRelay(.system) { event in
            guard case .started = event else { return log.add("finished") }
            log.add("started")
            mayReturn.wait()
        }
        Thread { relay.post(.started(attempt: 1)) }.start()
        await log.reached(1)
        async let end: Void = {
            await relay.finish()
            log.add("returned")
        }()
        // The handler returns after the call has ended, unless the call waits for it.
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(50)) { mayReturn.signal() }
        await end
        await log.reached(3)
        relay.post(.started(attempt: 2))
        #expect(log.entries == ["started", "finished", "returned"])
    }

    // MARK: Validators

    /// - Parameter age: The time from the modification to the response, in seconds.
    private func dated(_ age: TimeInterval, entityTag: String? = nil) -> Response {
        var response = file
        response.headers["Accept-Ranges"] = "bytes"
        response.headers["ETag"] = entityTag
        response.headers["Last-Modified"] = "Sun, 06 Nov 1994 08:49:37 GMT"
        response.headers["Date"] = "Sun, 06 Nov 1994 08:\(49 + Int(age) / 60):37 GMT"
        return response
    }

    @Test(arguments: [(60.0, nil, true), (0, nil, false), (60, "W/\"v1\"", false), (0, "\"v1\"", true)])
    func aServerThatPermitsResuming(age: TimeInterval, entityTag: String?, isResumable: Bool) async throws {
        server.on("/", dated(age, entityTag: entityTag))
        let responses = Log<Bool>()
        try await download { event in
            if case .receiving(let isResumable) = event { responses.add(isResumable) }
        }
        #expect(responses.entries == [isResumable])
    }

    @Test(arguments: [true, false]) func aPartWithADate(isUnchanged: Bool) async throws {
        let whole = whole
        let first = dated(600)
        server.on("/") { [file] request in
            guard request.hit > 1 else { return first.cut(.close, after: 100_000) }
            guard request.headers["Range"] != nil else { return file }
            var response = Response(status: 206, body: .bytes(Array(whole[100_000...])))
            response.headers["Content-Range"] = "bytes 100000-299999/300000"
            if isUnchanged { response.headers["Last-Modified"] = first.headers["Last-Modified"] }
            return response
        }
        _ = await failure { try await download(keeping) }
        #expect(folder.names == ["x.part", "x.part.info"])
        try await download(keeping)
        #expect(try Data(contentsOf: folder.url("x")) == whole)
        #expect(server.requests.map { $0.headers["Range"] }.prefix(2) == [nil, "bytes=100000-"])
        #expect(server.requests[1].headers["If-Range"] == first.headers["Last-Modified"])
        #expect(server.hits("/") == (isUnchanged ? 2 : 3))
    }

    // MARK: Lengths

    @Test func aBodyThatEndsEarly() throws {
        let url = server.url("/")
        let receiver = DataReceiver(for: URLRequest(url: url))
        let response = try #require(
            HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: ["Content-Length": "10"]))
        _ = receiver.begin(response)
        receiver.write(Data(count: 5))
        #expect(!receiver.isComplete)
        receiver.write(Data(count: 5))
        #expect(receiver.isComplete)
    }

    /// A server can announce more than the memory holds.
    @Test func anAnnouncedLengthIsNotReserved() async {
        server.on("/", .generated(size: 1 << 62).cut(.close, after: 10))
        let error = await failure {
            try await bench.session.trackedData(from: server.url("/"), policy: .never, manager: bench.manager)
        }
        #expect((error as? NetworkRequestError)?.code == brokenBody)
    }

    /// The chunks count (RFC 9112, 6.3).
    @Test func aChunkedBodyWithAnotherLength() async throws {
        var response = file.chunked()
        response.headers["Content-Length"] = "5"
        server.on("/", response)
        try await download()
        #expect(try Data(contentsOf: folder.url("x")) == whole)
        let (data, _) = try await bench.session.trackedData(
            from: server.url("/"), policy: .never, manager: bench.manager)
        #expect(data == whole)
    }
}
