import Dispatch
import Foundation
import LoopbackServer
import NetworkIndicator
import Testing

@testable import NetworkIndicatorURLSession

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Downloads whose session has a delegate of its own, and those that are cancelled meanwhile.
@Suite(.timeLimit(.minutes(10)))
struct DownloadDelegateTests {
    let bench = Bench()

    /// The first response of an attempt may be the question for a password: its body is not the file, and what is thrown
    /// for it is not the end.
    @Test(arguments: [false, true]) func anAnsweredChallenge(isRefused: Bool) async throws {
        let server = try LoopbackServer()
        server.on("/") { request in
            request.headers["Authorization"] == nil
                ? .status(401, headers: ["WWW-Authenticate": "Basic realm=\"x\""]) : .text("file")
        }
        let session = URLSession(configuration: .default, delegate: Delegate(), delegateQueue: nil)
        defer { session.finishTasksAndInvalidate() }
        let files = Lock<[PartialFile]>([])
        let (url, response) = try await session.trackedDownload(
            for: URLRequest("GET", server.url("/")), policy: .never, manager: bench.manager, token: nil, label: nil,
            makeFile: { response in
                if isRefused, (response as? HTTPURLResponse)?.statusCode == 401 { throw CocoaError(.userCancelled) }
                let file = try PartialFile()
                files.withLock { $0.append(file) }
                return file
            }, onEvent: nil)
        #expect((response as? HTTPURLResponse)?.statusCode == 200)
        let made = try #require(url)
        #expect(try Data(contentsOf: made) == Data("file".utf8))
        try FileManager.default.removeItem(at: made)
        for file in files.withLock({ $0 }) { #expect(file.isDeleted == (file.url != url)) }
    }

    @Test func theDelegateIsAskedOnItsQueue() async throws {
        let server = try LoopbackServer()
        server.on("/", .redirect(to: "/file"))
        server.on("/file", .text("file"))
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        let isRight = Log<Bool>()
        let delegate = Delegate { request, answer in
            isRight.add(OperationQueue.current === queue)
            answer(request)
        }
        let session = URLSession(configuration: .default, delegate: delegate, delegateQueue: queue)
        defer { session.finishTasksAndInvalidate() }
        let (url, _) = try await session.trackedDownload(from: server.url("/"), manager: bench.manager)
        try FileManager.default.removeItem(at: url)
        #expect(isRight.entries == [true])
    }

    #if canImport(FoundationNetworking)
    /// URLSession traps where a task that was cancelled is told what to do about a redirect.
    @Test func anAnswerThatComesAfterTheCancellation() async throws {
        let server = try LoopbackServer()
        server.on("/", .redirect(to: "/file"))
        server.on("/file", .text("file"))
        let questions = Log<@Sendable () -> Void>()
        let delegate = Delegate { request, answer in questions.add { answer(request) } }
        let session = URLSession(configuration: .default, delegate: delegate, delegateQueue: nil)
        defer { session.finishTasksAndInvalidate() }
        let call = Task {
            try await session.trackedDownload(from: server.url("/"), policy: .never, manager: bench.manager)
        }
        await questions.reached(1)
        call.cancel()
        #expect(await failure { try await call.value } is CancellationError)
        await DownloadSessions.shared.session(for: session).allTasksEnded()
        for answer in questions.entries { answer() }
        // One after the other on the session's threads: when this one is through, the answer has arrived.
        let (url, _) = try await session.trackedDownload(from: server.url("/file"), manager: bench.manager)
        try FileManager.default.removeItem(at: url)
        #expect(server.hits("/file") == 1)
    }
    #endif

    /// A disk that does not answer holds up no cancelled call, and in the end the file is removed.
    @Test func discardingDoesNotWaitForTheDisk() throws {
        let pipe = Pipe()
        let reader = pipe.fileHandleForReading.fileDescriptor
        let isRemoved = Lock(false)
        let file = DownloadFile { _ in
            PartialFile(url: URL(filePath: "/nowhere"), handle: pipe.fileHandleForWriting) {
                isRemoved.withLock { $0 = true }
            }
        }
        let url = URL(filePath: "/nowhere")
        _ = file.begin(URLRequest(url: url))
        file.receive(URLResponse(url: url, mimeType: nil, expectedContentLength: -1, textEncodingName: nil))
        let isWritten = DispatchSemaphore(value: 0)
        // More than a pipe takes.
        Thread {
            _ = file.receive(Data(count: 1_000_000))
            isWritten.signal()
        }.start()
        while unread(reader) <= 0 { sched_yield() }
        file.discard()
        #expect(!isRemoved.withLock { $0 })
        var count = 0
        while count < 1_000_000 { count += pipe.fileHandleForReading.availableData.count }
        isWritten.wait()
        #expect(isRemoved.withLock { $0 })
    }

    /// Breaking off takes its time, in which a fast server sends thousands of pieces: one is enough.
    @Test func aUselessBodyIsBrokenOffOnce() {
        let file = DownloadFile { _ in throw CocoaError(.fileWriteOutOfSpace) }
        let url = URL(filePath: "/nowhere")
        for _ in 0..<2 {
            _ = file.begin(URLRequest(url: url))
            file.receive(URLResponse(url: url, mimeType: nil, expectedContentLength: -1, textEncodingName: nil))
            let answers = (0..<100).map { _ in file.receive(Data(count: 100_000)) }
            #expect(answers.filter { $0 }.count == 1)
            #expect(answers.firstIndex(of: true) == 9)
            _ = file.end(nil, nil)
        }
    }

    /// How many bytes a pipe holds.
    private func unread(_ descriptor: Int32) -> Int {
        var count: Int32 = 0
        return ioctl(descriptor, UInt(FIONREAD), &count) == 0 ? Int(count) : -1
    }
}

private final class Delegate: NSObject, URLSessionTaskDelegate {
    private let redirect: @Sendable (URLRequest, @escaping @Sendable (URLRequest?) -> Void) -> Void

    init(redirect: @escaping @Sendable (URLRequest, @escaping @Sendable (URLRequest?) -> Void) -> Void = { $1($0) }) {
        self.redirect = redirect
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        redirect(request, completionHandler)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        completionHandler(.useCredential, URLCredential(user: "me", password: "secret", persistence: .none))
    }
}
