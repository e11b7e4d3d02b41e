import Foundation
import NetworkIndicator
import Testing

@testable import NetworkIndicatorTransfers

struct DownloadFileTests {
    let folder: TemporaryFolder
    let name: URL
    let part: URL
    static let url = URL(string: "http://h/f")!
    static let whole = ["Accept-Ranges": "bytes", "ETag": "\"v1\"", "Content-Length": "8"]

    init() throws {
        folder = try TemporaryFolder()
        name = folder.url("x")
        part = DownloadOptions.partialFile(for: name)
    }

    let request = URLRequest(url: Self.url)

    func begin(
        to destination: URL? = nil, _ change: (inout DownloadOptions) -> Void = { _ in }
    ) throws -> DownloadFile {
        var options = DownloadOptions()
        change(&options)
        let file = DownloadFile(to: destination ?? name, options)
        _ = try file.prepare(request)
        return file
    }

    func commit(_ file: DownloadFile, _ response: URLResponse) throws -> (URL, URLResponse) {
        try file.end(.success(response))
    }

    @discardableResult
    func attempt(_ file: DownloadFile) -> String? {
        (try? file.prepare(request))?.value(forHTTPHeaderField: "Range")
    }

    func response(
        _ status: Int, _ headers: [String: String], from url: URL = Self.url
    ) throws -> HTTPURLResponse {
        try #require(HTTPURLResponse(url: url, statusCode: status, httpVersion: nil, headerFields: headers))
    }

    @discardableResult
    func receive(
        _ file: DownloadFile, _ body: String, _ status: Int = 200, _ headers: [String: String] = whole
    ) throws -> HTTPURLResponse {
        let response = try response(status, headers)
        #expect(try file.begin(response, to: request).name == "accepted")
        _ = try file.write(Data(body.utf8))
        return response
    }

    func fail(
        _ headers: [String: String] = whole, _ change: (inout DownloadOptions) -> Void = { _ in }
    ) async throws {
        let file = try begin(change)
        attempt(file)
        try receive(file, "1234", 200, headers)
        file.discard()
    }

    func rest(_ first: Int, tag: String = "\"v1\"") -> [String: String] {
        ["Content-Range": "bytes \(first)-7/8", "ETag": tag]
    }

    var text: String? { try? String(contentsOf: name, encoding: .utf8) }

    @Test(.enabled(if: geteuid() == 0, "Only root can create a file of another user."))
    func aPartOfAnotherUser() async throws {
        let file = try begin()
        attempt(file)
        try Data().write(to: part)
        #expect(chown(part.path, 12_345, 12_345) == 0)
        let error = await failure { try file.begin(response(200, Self.whole), to: request) } as? DownloadError
        guard case .file(.create, part, .EPERM) = error else { throw error ?? CancellationError() }
        file.discard()
        #expect(folder.names == [".x.part"])
    }

    // MARK: Parts

    @Test(arguments: [206, 416, 200, nil]) func aFileThatHasChanged(status: Int?) async throws {
        try await fail()
        let file = try begin()
        #expect(attempt(file) == "bytes=4-")
        if let status {
            #expect(try file.begin(response(status, rest(4, tag: "\"v2\"")), to: request).name == "refused")
            #expect(attempt(file) == nil)
        }
        _ = try commit(file, receive(file, "abc", 200, ["Content-Length": "3"]))
        #expect(text == "abc" && folder.names == ["x"])
    }

    @Test(arguments: [204, 205]) func aResponseWithoutContentIsNoFile(status: Int) async throws {
        try await fail()
        let file = try begin()
        #expect(attempt(file) == "bytes=4-")
        let empty = try response(status, [:])
        #expect(try file.begin(empty, to: request).name == "ignored")
        let error = await failure { try commit(file, empty) } as? DownloadError
        #expect(error?.description == HTTPURLResponse.reason(status))
        #expect(folder.names == [".x.part", ".x.part.info"])
        #expect(try attempt(begin()) == "bytes=4-")
    }

    @Test func aPartThatIsNotWanted() async throws {
        try await fail(["Content-Length": "8"])
        #expect(folder.names == [])
        try await fail { $0.keepsPartialFile = false }
        #expect(folder.names == [])
        try await fail()
        let file = try begin { $0.keepsPartialFile = false }
        #expect(attempt(file) == nil)
        try receive(file, "12")
        file.discard()
        #expect(folder.names == [])
    }

    @Test(arguments: [
        "", "nonsense", "{\"entityTag\":\"\\\"v1\\\"\",\"total\":3,\"request\":1,\"source\":1}",
    ])
    func aPartOfAKilledProcess(description: String) throws {
        try Data("rubbish".utf8).write(to: part)
        if !description.isEmpty { try Data(description.utf8).write(to: folder.url(".x.part.info")) }
        let file = try begin()
        #expect(attempt(file) == nil)
        _ = try commit(file, receive(file, "12345678"))
        #expect(text == "12345678" && folder.names == ["x"])
    }

    /// Even if the process is killed before the next attempt, no other process resumes the part.
    @Test func aPartThatReceivedTooMuch() throws {
        let file = try begin()
        attempt(file)
        try receive(file, "1234", 200, Self.whole.merging(["Content-Length": "2000000"]) { $1 })
        #expect(folder.names == [".x.part", ".x.part.info"])
        try file.write(Data(count: 1_999_997))
        let empty = try begin(to: folder.url("y"))
        attempt(empty)
        try receive(empty, "", 200, Self.whole)
        empty.discard()
        #expect(file.resumableLength == 0 && DownloadOptions.resumableBytes(for: request, to: name) == 0)
        #expect(attempt(file) == nil)
        try receive(file, "1234", 200, Self.whole.merging(["Content-Length": "2000000"]) { $1 })
        #expect(folder.names == [".x.part", ".x.part.info"] && attempt(file) == "bytes=4-")
        try file.finish(
            receive(
                file, String(repeating: "x", count: 1_999_996), 206,
                [
                    "Content-Range": "bytes 4-1999999/2000000", "ETag": "\"v1\"",
                ]))
        #expect(folder.names == ["x"])
    }

    @Test func aCallThatHasThrownHoldsNoLock() async throws {
        let response = try response(200, Self.whole)
        for _ in 1...200 {
            let file = try begin()
            attempt(file)
            try receive(file, "1234")
            let isOver = Lock(false)
            Thread {
                while !isOver.withLock({ $0 }) {
                    _ = try? file.begin(response, to: request)
                    _ = try? file.write(Data(count: 10_000))
                }
            }.start()
            file.discard()
            let next = await failure { try begin().discard() }
            isOver.withLock { $0 = true }
            try #require(next == nil, "\(String(describing: next))")
        }
    }

    // MARK: Destinations

    @Test(arguments: [0o600, 0o640, 0o444, 0o666]) func theFileKeepsThePermissions(mode: mode_t) throws {
        try Data("old".utf8).write(to: name)
        #expect(chmod(name.path, mode) == 0)
        let file = try begin()
        attempt(file)
        try receive(file, "1234")
        #expect(try #require(part.permissions) & ~(mode | 0o200) == 0)
        _ = try commit(file, receive(file, "12345678"))
        #expect(text == "12345678" && name.permissions == mode)
    }

    @Test func withoutADestination() async throws {
        func begin() -> DownloadFile { DownloadFile(to: nil, DownloadOptions()) }
        let failed = begin()
        attempt(failed)
        try receive(failed, "1234")
        #expect(attempt(failed) == "bytes=4-")
        failed.discard()
        let file = begin()
        attempt(file)
        try receive(file, "1234")
        attempt(file)
        try receive(file, "no", 401, [:])
        #expect(try file.begin(response(206, rest(4)), to: request).name == "refused")
        attempt(file)
        let (url, last) = try commit(file, receive(file, "missing", 404, [:]))
        #expect(try String(contentsOf: url, encoding: .utf8) == "missing")
        #expect((last as? HTTPURLResponse)?.statusCode == 404)
        #expect(url.permissions == 0o600)
        try FileManager.default.removeItem(at: url)
    }

    @Test func aFileThatIsFinishedBeforeItsCall() throws {
        let file = try begin()
        attempt(file)
        try file.finish(receive(file, "12345678"))
        #expect(folder.names == ["x"])
        for destination in [name, nil] {
            let retried = DownloadFile(to: destination, DownloadOptions(), retriedStatuses: [202])
            attempt(retried)
            #expect(try retried.begin(response(202, [:]), to: request).name == "ignored")
        }

        let temporary = DownloadFile(to: nil, DownloadOptions())
        attempt(temporary)
        let response = try receive(temporary, "12345678")
        try temporary.finish(response)
        let (url, _) = try commit(temporary, response)
        #expect(FileManager.default.fileExists(atPath: url.path))
        temporary.discard()
        #expect(!FileManager.default.fileExists(atPath: url.path))
    }

    // MARK: Lengths

    @Test(arguments: [["Content-Length": "8"], [:]]) func aFileThatIsTooLong(headers: [String: String]) async throws {
        let file = try begin { $0.maximumBytes = 7 }
        attempt(file)
        let error = await failure {
            _ = try file.begin(response(200, headers), to: request)
            #expect(headers.isEmpty && (try? file.write(Data(count: 7))) != nil)
            return try file.write(Data(count: 1))
        }
        #expect((error as? DownloadError)?.description == "the file has more than 7 bytes")
        file.discard()
        #expect(folder.names == [])
    }

    @Test(arguments: [
        (200, whole, true, true), (200, whole.merging(["Content-Encoding": "gzip"]) { $1 }, false, false),
        (200, ["Transfer-Encoding": "chunked"], false, true), (200, [:], false, false),
        (206, ["Content-Range": "bytes 4-7/8", "ETag": "\"v1\""], true, true),
    ])
    func theEvent(status: Int, headers: [String: String], isResumable: Bool, isVerifiable: Bool) async throws {
        try await fail()
        let file = try begin()
        guard
            case .accepted(.receiving(isResumable, isVerifiable)?) = try file.begin(
                response(status, headers), to: request)
        else {
            Issue.record("another event")
            return
        }
        file.discard()
    }
}

extension DownloadFile {
    func discard() { _ = try? end(.failure(CancellationError())) }
}
