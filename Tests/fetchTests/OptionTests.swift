import Foundation
import LoopbackServer
import TestSupport
import Testing

/// The options that change requests and files.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct OptionTests {
    @Test func aFileMayBeAsLargeAsAllowed() async throws {
        let command = try FetchCommand()
        command.server.on("/a", .generated(size: 20_000))
        let process = try await command.run("--max-size=20k", command.url("/a"))
        #expect(process.end == .exited(0) && process.errors == "")
        #expect(command.holds("a", size: 20_000))
    }

    @Test(arguments: ["/length", "/chunked", "/zeros"]) func aFileThatIsTooLargeFails(path: String) async throws {
        let command = try FetchCommand()
        command.server.on("/length", .generated(size: 20_001))
        command.server.on("/chunked", .generated(size: 2_000_000).chunked())
        // The limit applies to the file, not to the compressed body.
        let zeros = try await FetchCommand.compressedZeros(100_000)
        command.server.on("/zeros", Response(status: 200, headers: ["Content-Encoding": "gzip"], body: .bytes(zeros)))
        let process = try await command.run("--max-size=20kB", command.url(path))
        #expect(process.end == .exited(1))
        #expect(
            process.errors
                == "fetch: \(command.url(path)): the file has more than the 20.0 kB that --max-size allows\n")
        #expect(command.files == [])
        #expect(command.server.hits(path) == 1)
    }

    @Test func aFailedDownloadIsContinuedNextTime() async throws {
        let command = try FetchCommand()
        let response = Response.generated(size: 200_000).ranged(entityTag: "\"1\"")
        command.server.on("/a", response.cut(.close, after: 80_000), response)
        let words = ["--continue", "--retries=0", command.url("/a")]
        let first = try await command.run(words)
        #expect(first.end == .exited(1))
        #expect(
            first.errors.hasSuffix("after 80.0 kB of 200.0 kB; kept 80.0 kB, continue with -c\n"), "\(first.errors)")
        #expect(command.files.contains(".a.part") && !command.files.contains("a"))

        let second = try await command.run(words)
        #expect(second.end == .exited(0) && second.errors == "")
        #expect(command.server.requests("/a").map { $0.headers["Range"] } == [nil, "bytes=80000-"])
        #expect(command.server.requests("/a").last?.headers["If-Range"] == "\"1\"")
        #expect(command.files == ["a"] && command.holds("a", size: 200_000))
    }

    @Test func anInterruptedDownloadIsContinuedNextTime() async throws {
        let command = try FetchCommand()
        let response = Response.generated(size: 200_000).ranged(entityTag: "\"1\"")
        command.server.on("/a", response.cut(.stall, after: 80_000), response)
        let first = try await command.run("-c", command.url("/a")) { pid in
            if WatchedProcess.wait(until: { command.content(".a.part")?.count == 80_000 }) { kill(pid, SIGINT) }
        }
        #expect(first.end == .killed(signal: SIGINT))
        let second = try await command.run("-c", command.url("/a"))
        #expect(second.end == .exited(0))
        #expect(command.server.requests("/a").map { $0.headers["Range"] } == [nil, "bytes=80000-"])
        #expect(command.files == ["a"] && command.holds("a", size: 200_000))
    }

    @Test func aFileThatHasChangedStartsOver() async throws {
        let command = try FetchCommand()
        let old = Response.generated(size: 200_000).ranged(entityTag: "\"1\"")
        let new = Response.generated(size: 150_000, seed: 2).ranged(entityTag: "\"2\"")
        command.server.on("/a", old.cut(.close, after: 80_000), new)
        _ = try await command.run("-c", "--retries=0", command.url("/a"))
        let second = try await command.run("-c", "--retries=0", command.url("/a"))
        #expect(second.end == .exited(0))
        #expect(command.files == ["a"] && command.holds("a", size: 150_000, seed: 2))
    }

    /// Without `--continue` a part is kept, too, but a later run replaces it as soon as the server responds.
    @Test func aPartIsContinuedOnlyIfAskedFor() async throws {
        let command = try FetchCommand()
        let response = Response.generated(size: 200_000).ranged(entityTag: "\"1\"")
        command.server.on("/a", response.cut(.close, after: 80_000), .close, response)
        for _ in 1...2 {
            let failed = try await command.run("--retries=0", command.url("/a"))
            #expect(failed.end == .exited(1))
            #expect(command.content(".a.part")?.count == 80_000)
        }
        let process = try await command.run(command.url("/a"))
        #expect(process.end == .exited(0))
        #expect(command.server.requests("/a").allSatisfy { $0.headers["Range"] == nil })
        #expect(command.files == ["a"] && command.holds("a", size: 200_000))
    }

    /// A link is skipped like a file, even if its target is missing.
    @Test(arguments: [("target", 3), ("missing", 0)]) func aLinkExists(target: String, size: Int) async throws {
        let command = try FetchCommand()
        try Data("abc".utf8).write(to: command.directory.appending(path: "target"))
        let link = command.directory.appending(path: "a").path
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
        let process = try await command.run("-c", command.url("/a"))
        #expect(process.end == .exited(0) && process.errors == "")
        #expect(process.output == "  -       \(size) B     exists  a\n")
        #expect(command.server.requests.isEmpty && command.files == ["a", "target"])
    }

    @Test func headersAreSent() async throws {
        let command = try FetchCommand()
        command.server.on("/a", .text("a"))
        let process = try await command.run(
            "-q", "-H", "X-Key: 1 2", "--header=Cookie: a=b", "-A", "me/2", command.url("/a"))
        #expect(process.end == .exited(0) && process.errors == "")
        let headers = try #require(command.server.requests("/a").first?.headers)
        #expect(headers["X-Key"] == "1 2" && headers["Cookie"] == "a=b" && headers["User-Agent"] == "me/2")
        #expect(headers["Accept-Encoding"] == "identity")
    }

    @Test func headersStayWithTheirHost() async throws {
        let command = try FetchCommand()
        let other = try LoopbackServer()
        defer { other.stop() }
        other.on("/b", .text("b"))
        command.server.on("/away", .redirect(to: other.url("/b").absoluteString))
        command.server.on("/here", .redirect(to: "/b"))
        command.server.on("/b", .text("b"))
        let options = ["-q", "-H", "X-Key: secret", "-H", "Authorization: secret", "-H", "Cookie: secret"]
        let process = try await command.run(options + ["/away", "/here"].map(command.url))
        #expect(process.end == .exited(0) && process.errors == "")
        #if canImport(FoundationNetworking)
        let kept = ["X-Key", "Authorization", "Cookie"]
        #else
        // Apple's systems drop `Authorization` at every redirect.
        let kept = ["X-Key", "Cookie"]
        #endif
        for name in kept { #expect(command.server.requests("/b").first?.headers[name] == "secret") }
        for name in ["X-Key", "Authorization", "Cookie"] {
            #expect(other.requests("/b").count == 1 && other.requests("/b")[0].headers[name] == nil)
        }
    }

    @Test func theModificationTimeIsTheServers() async throws {
        let command = try FetchCommand()
        let headers: HTTPHeaders = ["Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT"]
        command.server.on("/a", Response(status: 200, headers: headers, body: .bytes([1])))
        command.server.on("/b", Response(status: 200, headers: ["Last-Modified": "yesterday"], body: .bytes([1])))
        let process = try await command.run("-q", command.url("/a"), command.url("/b"))
        #expect(process.end == .exited(0))
        func time(_ name: String) throws -> Date? {
            let path = command.directory.appending(path: name).path
            return try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
        }
        #expect(try time("a") == Date(timeIntervalSince1970: 784_111_777))
        #expect(try #require(try time("b")).timeIntervalSinceNow > -600)
    }

    @Test func aCompressedFileIsReported() async throws {
        let command = try FetchCommand()
        let zeros = try await FetchCommand.compressedZeros(100_000)
        command.server.on("/a", Response(status: 200, headers: ["Content-Encoding": "gzip"], body: .bytes(zeros)))
        let process = try await command.run(command.url("/a"))
        #expect(process.end == .exited(0))
        #expect(
            process.errors
                == "fetch: \(command.url("/a")): the server compressed the file (gzip); it was saved decompressed\n")
        #expect(command.content("a") == Data(count: 100_000))
    }

    /// The length of the compressed body is known, but not that of the file.
    @Test(arguments: [false, true]) func aCompressedFileThatEndsEarlyFails(isChunked: Bool) async throws {
        let command = try FetchCommand()
        let zeros = try await FetchCommand.compressedZeros(10_000_000)
        let response = Response(status: 200, headers: ["Content-Encoding": "gzip"], body: .bytes(zeros))
        command.server.on("/a", (isChunked ? response.chunked() : response).cut(.close, after: zeros.count / 2))
        let process = try await command.run("--retries=0", command.url("/a"))
        #expect(process.end == .exited(1))
        #expect(process.errors.contains("/a: \(closedInsideBody) after "), "\(process.errors)")
        #expect(command.files == [])
    }

    /// The end of the connection can be the end of the file, or a lost connection.
    @Test func aCompressedFileWithoutALengthCannotBeChecked() async throws {
        let command = try FetchCommand()
        let zeros = try await FetchCommand.compressedZeros(100_000)
        let response = Response(status: 200, headers: ["Content-Encoding": "gzip"], body: .bytes(zeros))
        command.server.on("/a", response.untilClose())
        let process = try await command.run(command.url("/a"))
        #expect(process.end == .exited(0))
        #expect(process.errors.hasSuffix("it was saved decompressed, and may be incomplete\n"), "\(process.errors)")
    }
}
