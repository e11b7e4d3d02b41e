import Foundation
import LoopbackServer
import NetworkIndicator
import TestSupport
import Testing

@testable import NetworkIndicatorTransfers

@Suite(.serialized)
struct SuggestedFilenameTests {
    @Test(arguments: [
        ("http://h/d/e/a.txt?b=/c.txt#/d.txt", "a.txt"),
        ("http://h", "index.html"), ("http://h/d/", "index.html"), ("http://h?a=b", "index.html"),
        ("http://h/.", "index.html"), ("http://h/..", "index.html"), ("http://h/%2E%2E", "index.html"),
        ("http://h/a%20b.txt", "a b.txt"), ("http://h/%C3%A9.txt", "é.txt"), ("http://h/%FF.txt", "%FF.txt"),
        ("http://h/%2E%2E%2Fetc%2Fpasswd", "_etc_passwd"), ("http://h/..%2Fevil.bin", "_evil.bin"),
        ("http://h/a%5Cb", "a_b"), ("http://h/%2F", "_"), ("http://h/a%252Fb", "a%2Fb"),
        ("http://h/.bashrc", "bashrc"), ("http://h/.%CC%81x", "\u{301}x"), ("http://h/.-rf", "_-rf"),
        ("http://h/~", "_~"), ("http://h/~root", "_~root"), ("http://h/%7E", "_~"), ("http://h/a~", "a~"),
        ("http://h/a%00b%0A%1B%5B2J%C2%9B", "a_b__[2J_"), ("http://h/%00", "_"),
        ("http://h/a%E2%80%AEtxt.exe", "a_txt.exe"), ("http://h/%E2%81%A6a%E2%81%A9", "_a_"),
        ("http://h/%E2%80%A8", "_"), ("http://h/%20%20", "index.html"),
    ])
    func names(url: String, expected: String) throws {
        #expect(try #require(URL(string: url)).suggestedFilename == expected)
    }

    @Test(arguments: [
        (String(repeating: "x", count: 300), String(repeating: "x", count: 240)),
        (String(repeating: "x", count: 300) + ".tar.gz", String(repeating: "x", count: 237) + ".gz"),
        (String(repeating: "é", count: 150) + ".bin", String(repeating: "é", count: 118) + ".bin"),
        ("x." + String(repeating: "y", count: 300), "x." + String(repeating: "y", count: 238)),
        (
            "e" + String(repeating: "\u{301}", count: 300) + ".bin",
            "e" + String(repeating: "\u{301}", count: 117) + ".bin"
        ),
    ])
    func longNames(name: String, expected: String) throws {
        let url = try #require(URL(string: "http://h/")).appendingPathComponent(name)
        #expect(url.suggestedFilename == expected)
        #expect(expected.utf8.count <= 240)
    }

    @Test(arguments: [
        ("http://h/a/b/c.txt?d=/e", "a/b/c.txt"), ("http://h", "index.html"), ("http://h/a/b/", "a/b/index.html"),
        ("http://h//a//./../b", "a/b"), ("http://h/%2E%2E/%2e%2e/x", "x"), ("http://h/..%2F..%2Fx/y", "_.._x/y"),
        ("http://h/.ssh/-rf/~/a%00b", "ssh/_-rf/_~/a_b"), ("http://h/a%5C..%5Cb/c", "a_.._b/c"),
        ("http://h/\(String(repeating: "x", count: 300))/y", "\(String(repeating: "x", count: 240))/y"),
    ])
    func paths(url: String, expected: String) throws {
        #expect(try #require(URL(string: url)).suggestedPath == expected)
    }

    @Test func theLongestName() throws {
        let part = DownloadOptions.partialFile(for: folder.url(String(repeating: "é", count: 127) + "e"))
        #expect(part.lastPathComponent.utf8.count + ".info".utf8.count <= 255)
    }

    /// With the slash before it, the accent is one character.
    @Test func aNameThatBeginsWithAnAccent() throws {
        let name = try #require(URL(string: "http://h/%CC%81x")).suggestedFilename
        #expect(DownloadOptions.partialFile(for: URL(filePath: "/a/b/\(name)")).path == "/a/b/.\u{301}x.part")
    }

    // MARK: Directories

    private let bench = Bench()
    private let folder: TemporaryFolder
    private let directory: URL
    private let server: LoopbackServer

    init() throws {
        folder = try TemporaryFolder()
        directory = folder.url("x").deletingLastPathComponent()
        server = try LoopbackServer()
    }

    private func download(_ path: String, to destination: URL) async throws -> URL {
        server.on(path, .bytes(Array("body".utf8)))
        let url = try #require(URL(string: server.url("/").absoluteString + path.dropFirst()))
        return try await bench.session.trackedDownload(
            from: url, to: destination, policy: .singleAttempt, manager: bench.manager, onEvent: bench.onEvent
        ).0
    }

    @Test(arguments: ["a", "..%2Fevil.bin", "%1B%5B31m", "a%0Ab", "%00", "~root", "%2E%2E", "%E2%80%AE", ""])
    func aDirectoryReceivesTheFile(path: String) async throws {
        for isDirectory in [true, false] {
            let hint: URL.DirectoryHint = isDirectory ? .isDirectory : .notDirectory
            let directory = URL(filePath: directory.path, directoryHint: hint)
            let file = try await download("/\(path)", to: directory)
            #expect(try String(contentsOf: file, encoding: .utf8) == "body")
            let name = server.url("/").absoluteString + path
            #expect(try folder.names == [#require(URL(string: name)).suggestedFilename])
        }
    }

    /// `%FF` isn't UTF-8. The path of such a URL is empty.
    @Test(arguments: [
        ("file:///dev/null", "null: it is not a regular file"),
        ("https://me:secret@h/x", "https://h/x: it is not the URL of a file"),
        ("file:///tmp/%FF", "file:///tmp/%FF: it is not the URL of a file"),
    ])
    func aDestinationThatIsNoFile(text: String, reason: String) async throws {
        let url = try #require(URL(string: text))
        let request = URLRequest(url: url)
        let error = await failure { try DownloadFile(to: url, DownloadOptions()).prepare(request) } as? DownloadError
        #expect(error?.description == "cannot create \(reason)")
        let file = URL(filePath: #filePath)
        let page = try #require(URL(string: "https://h\(file.path)"))
        #expect(file.existingFile(for: request) != nil && page.existingFile(for: request) == nil)
    }

    @Test(arguments: [("missing/", POSIXErrorCode.ENOENT), (String(repeating: "x", count: 256), .ENAMETOOLONG)])
    func aDestinationThatCannotBeCreated(name: String, code: POSIXErrorCode) async throws {
        let error = await failure { try await download("/a", to: folder.url(name)) } as? DownloadError
        guard case .file(.create, _, code) = error else { throw error ?? CancellationError() }
        #expect(folder.names == [] && server.requests.isEmpty)
        #expect(bench.events.entries == [.started(1), .finished] && bench.manager.entryCount == 0)
    }
}
