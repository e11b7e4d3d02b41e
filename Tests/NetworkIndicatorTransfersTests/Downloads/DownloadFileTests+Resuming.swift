import Foundation
import Testing

@testable import NetworkIndicatorTransfers

extension DownloadFileTests {
    @Test(arguments: [
        (200, [:]), (200, ["ETag": "\"v2\""]), (206, ["ETag": "\"v2\""]), (416, [:]),
    ])
    func aCaptivePortalDoesNotReplaceThePart(status: Int, headers: [String: String]) async throws {
        try await fail()
        let portal = try #require(URL(string: "http://portal/login"))
        let file = try begin()
        #expect(attempt(file) == "bytes=4-")
        let error = await failure { try file.begin(response(status, headers, from: portal), to: request) }
        guard case DownloadError.unrelatedResponse(_, part)? = error else { throw error ?? CancellationError() }
        file.discard()
        #expect(folder.names == [".x.part", ".x.part.info"])
        let next = try begin()
        #expect(attempt(next) == "bytes=4-")
        #expect(try next.begin(response(200, Self.whole, from: portal), to: request).name == "accepted", "a mirror")
        next.discard()
    }

    @Test func theBytesThatWouldBeResumed() async throws {
        func resumableBytes(_ url: URL = Self.url) -> Int64 {
            DownloadOptions.resumableBytes(for: URLRequest(url: url), to: name)
        }
        #expect(resumableBytes() == 0)
        try await fail()
        #expect(try resumableBytes() == 4 && resumableBytes(#require(URL(string: "http://h/g"))) == 0)
        try Data(count: 8).write(to: part)
        #expect(resumableBytes() == 7, "the last byte is requested again")
        try Data(count: 9).write(to: part)
        #expect(resumableBytes() == 0)
        try FileManager.default.removeItem(at: folder.url(".x.part.info"))
        #expect(resumableBytes() == 0)
    }

    @Test func aFileOpensWhenItsResponseArrives() async throws {
        let (first, second) = try (begin(), begin())
        for file in [first, second] { attempt(file) }
        #expect(folder.names == [])
        try receive(first, "1234")
        let error = await failure { try second.begin(response(200, Self.whole), to: request) } as? DownloadError
        guard case .file(.create, part, .EWOULDBLOCK) = error else { throw error ?? CancellationError() }
        second.discard()
        first.discard()
        let (third, fourth) = try (begin(), begin())
        for file in [third, fourth] { #expect(attempt(file) == "bytes=4-") }
        try receive(third, "56", 206, rest(4))
        third.discard()
        let changed = await failure { try fourth.begin(response(206, rest(4)), to: request) } as? DownloadError
        guard case .file(.write, part, .ESTALE) = changed else { throw changed ?? CancellationError() }
        fourth.discard()
        let fifth = try begin()
        #expect(attempt(fifth) == "bytes=6-")
        let (_, last) = try commit(fifth, receive(fifth, "78", 206, rest(6)))
        #expect((last as? HTTPURLResponse)?.statusCode == 206 && text == "12345678" && folder.names == ["x"])
    }

    /// Otherwise, a later call could combine the bytes of two versions of the file.
    @Test func aPartThatAKilledProcessHasChangedIsNotDescribed() async throws {
        try await fail()
        let file = try begin()
        #expect(attempt(file) == "bytes=4-")
        try Data("abcdef".utf8).write(to: part)
        try FileManager.default.removeItem(at: folder.url(".x.part.info"))
        #expect(await failure { try file.begin(response(206, rest(4)), to: request) } is DownloadError)
        file.discard()
        #expect(try attempt(begin()) == nil)
    }

    /// For example, no descriptor may be free when the response arrives.
    @Test func aFileThatCannotBeOpened() async throws {
        let file = try begin()
        attempt(file)
        try FileManager.default.removeItem(at: part.deletingLastPathComponent())
        let error = await failure { try file.begin(response(200, Self.whole), to: request) } as? DownloadError
        guard case .file(.create, part, .ENOENT) = error else { throw error ?? CancellationError() }
        file.discard()
    }
}
