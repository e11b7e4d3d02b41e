import Foundation
import LoopbackServer
import TestSupport
import Testing

@testable import fetch

/// Runs the built program against a scripted server.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct EndToEndTests {
    /// Standard output without its times and rates.
    private func lines(_ process: WatchedProcess) -> [String] {
        process.output.split(separator: "\n").map { line in
            String(line).replacing(#/ +\d+\.\d\d s/#, with: " T").replacing(#/[0-9.]+ [kMG]?B\/s/#, with: "R")
        }
    }

    @Test func filesAreFetched() async throws {
        let command = try FetchCommand()
        command.server.on("/a.bin", .generated(size: 1_500_000))
        command.server.on("/b.txt", .text("b").delayed(by: .milliseconds(100)))
        command.server.on("/empty", .bytes([]))
        let process = try await command.run("-j1", command.url("/a.bin"), command.url("/b.txt"), command.url("/empty"))
        #expect(process.end == .exited(0))
        #expect(process.errors == "")
        #expect(
            lines(process) == [
                "200    1.5 MB T  a.bin", "200       1 B T  b.txt", "200       0 B T  empty", "3 files, 1.5 MB, T, R",
            ])
        #expect(command.files == ["a.bin", "b.txt", "empty"])
        #expect(command.holds("a.bin", size: 1_500_000))
        #expect(command.server.requests("/a.bin").first?.headers["Accept-Encoding"] == "identity")
    }

    @Test func everyWayToSendABody() async throws {
        let command = try FetchCommand()
        let response = Response.generated(size: 300_000)
        command.server.on("/chunked", response.chunked())
        command.server.on("/close", response.untilClose())
        command.server.on("/drip", response.dripping(30_000, every: .milliseconds(20)))
        command.server.on("/moved", .redirect(to: "/chunked", status: 308))
        let text = String(repeating: "x", count: 9)
        command.server.on(
            "/hints", .raw("HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n" + text))
        let paths = ["/chunked", "/close", "/drip", "/moved", "/hints"]
        let process = try await command.run(["-qo", "d/e"] + paths.map(command.url))
        #expect(process.end == .exited(0))
        #expect(process.output == "" && process.errors == "")
        for path in paths.dropLast() { #expect(command.holds("d/e" + path, size: 300_000), "\(path)") }
        #expect(command.content("d/e/hints") == Data(text.utf8))
        #expect(command.files == ["d", "d/e", "d/e/chunked", "d/e/close", "d/e/drip", "d/e/hints", "d/e/moved"])
    }

    @Test func anUnrequestedCompression() async throws {
        let command = try FetchCommand()
        let compressed: [UInt8] = [
            31, 139, 8, 0, 0, 0, 0, 0, 2, 255, 203, 72, 205, 201, 201, 231, 202, 0, 147, 0, 119, 12, 199, 47, 12, 0, 0,
            0,
        ]
        command.server.on("/x", Response(status: 200, headers: ["Content-Encoding": "gzip"], body: .bytes(compressed)))
        let process = try await command.run("-q", command.url("/x"))
        #expect(process.end == .exited(0))
        #expect(command.content("x") == Data("hello\nhello\n".utf8))
    }

    @Test func nameAndPasswordAreSentButNotShown() async throws {
        let command = try FetchCommand()
        command.server.on("/x") {
            $0.headers["Authorization"] == nil
                ? .status(401, headers: ["WWW-Authenticate": "Basic realm=\"r\""]) : .text("x")
        }
        command.server.on("/y", .status(403))
        let port = command.server.port
        let process = try await command.run(
            "-q", "http://me:secret@127.0.0.1:\(port)/x", "http://me:secret@127.0.0.1:\(port)/y")
        #expect(process.errors.lowercased() == "fetch: \(command.url("/y")): 403 forbidden\n")
        #expect(command.files == ["x"])
    }

    /// Redirects, and a response that isn't HTTP: Apple's systems have rules and words of their own for these.
    #if canImport(FoundationNetworking)
    private static let linuxFailures = [
        ("/loop", "more than 20 redirects"), ("/garbage", "received HTTP/0.9 when not allowed"),
        ("/ftp", "redirected to a URL of the scheme ftp"),
    ]
    #else
    private static let linuxFailures: [(String, String)] = []
    #endif

    /// A failed download prints one line on standard error and leaves no file. It doesn't affect the other download.
    @Test(
        arguments: [
            ("/404", "404 not found"),
            ("/reset", "the connection was lost before a response"),
            ("/reset-inside", "the connection was lost after 50.0 kB of 100.0 kB"),
            ("/close", closedBeforeResponse),
            ("/close-inside", "\(closedInsideBody) after 50.0 kB of 100.0 kB"),
            ("/cut-chunk", "\(closedInsideBody) after 50.0 kB"),
            ("/stalled", "nothing more arrived for 5 s, after 50.0 kB of 100.0 kB"),
            ("/silent", "no complete response within 5 s"),
            ("/nowhere", "302 found"),
            ("/part", "206 partial content"),
            ("/basic", "401 unauthorized"),
            ("/endless-error", "500 internal server error"),
        ] + linuxFailures)
    func failures(path: String, reason: String) async throws {
        let command = try FetchCommand()
        let response = Response.generated(size: 100_000)
        command.server.on("/404", .status(404))
        command.server.on("/reset", .reset)
        command.server.on("/reset-inside", response.cut(.reset, after: 50_000))
        command.server.on("/close", .close)
        command.server.on("/close-inside", response.cut(.close, after: 50_000))
        command.server.on("/cut-chunk", response.chunked().cut(.close, after: 50_000))
        command.server.on("/stalled", response.cut(.stall, after: 50_000))
        command.server.on("/silent", .silence)
        command.server.on("/loop", .redirect(to: "/loop"))
        command.server.on("/nowhere", Response(status: 302))
        command.server.on("/part", .status(206))
        command.server.on("/basic", .status(401, headers: ["WWW-Authenticate": "Basic realm=\"r\""]))
        command.server.on("/endless-error", Response(status: 500, body: .generated(size: 1 << 40, seed: 1)))
        command.server.on("/garbage", .raw("garbage\r\n\r\n"))
        command.server.on("/ftp", .redirect(to: "ftp://127.0.0.1/x"))
        command.server.on("/good", .generated(size: 200_000).delayed(by: .milliseconds(200)))
        let timeout = reason.contains("5 s") ? "--timeout=5" : "--timeout=60"
        let process = try await command.run(timeout, "--retries=0", command.url(path), command.url("/good"))
        #expect(process.end == .exited(1))
        // The names of statuses are "Not Found" on Linux and "not found" elsewhere.
        #expect(process.errors.lowercased() == "fetch: \(command.url(path)): \(reason)\n".lowercased())
        #expect(lines(process) == ["200  200.0 kB T  good", "1 file, 200.0 kB, T, R, 1 failed"])
        #expect(command.files == ["good"])
        #expect(command.holds("good", size: 200_000))
    }

    @Test func refused() async throws {
        let command = try FetchCommand()
        let closed = try LoopbackServer(isListening: false)
        defer { closed.stop() }
        let url = closed.url("/x").absoluteString
        let process = try await command.run("--retries=0", url)
        #expect(process.end == .exited(1))
        #expect(process.errors == "fetch: \(url): cannot connect to 127.0.0.1\n")
        #expect(process.output == "")
        #expect(command.files == [])
    }

    /// The directories don't depend on permissions, because these tests may run as root.
    @Test func directoriesThatCannotBeWritten() async throws {
        let command = try FetchCommand()
        command.server.on("/x", .text("x"))
        try Data().write(to: command.directory.appending(path: "file"))
        for (directory, reason) in [
            ("file/", "cannot make the directory 'file': Not a directory"),
            ("file/d/e/", "cannot make the directory 'file': Not a directory"),
            ("/dev/null/d/", "cannot make the directory '/dev/null': Not a directory"),
        ] {
            let process = try await command.run("-o", directory, command.url("/x"))
            #expect(process.end == .exited(1))
            #expect(process.errors == "fetch: \(reason)\n")
            #expect(process.output == "")
        }
        #if os(Linux)
        let process = try await command.run("-o/proc", command.url("/x"))
        #expect(process.end == .exited(1))
        #expect(process.errors.hasPrefix("fetch: \(command.url("/x")): cannot create '/proc/x': "))
        #endif
        #expect(command.server.requests.isEmpty)
        #expect(command.files == ["file"])
    }

    @Test func aFileThatExistsStays() async throws {
        let command = try FetchCommand()
        command.server.on("/x", .text("new"))
        command.server.on("/y", .text("y"))
        try Data("old".utf8).write(to: command.directory.appending(path: "x"))
        let process = try await command.run(command.url("/x"), command.url("/y"))
        #expect(process.end == .exited(1))
        #expect(
            process.errors == "fetch: \(command.url("/x")): 'x' exists; use --force to replace it, or -c to skip it\n")
        #expect(command.content("x") == Data("old".utf8))
        #expect(command.files == ["x", "y"])
        #expect(command.server.hits("/x") == 0)

        let forced = try await command.run("--force", command.url("/x"))
        #expect(forced.end == .exited(0))
        #expect(command.content("x") == Data("new".utf8))
        #expect(command.files == ["x", "y"])
    }

    @Test func aFileThatAppearsMeanwhileStays() async throws {
        let command = try FetchCommand()
        let target = command.directory.appending(path: "x")
        command.server.on("/x") { _ in
            try? Data("sudden".utf8).write(to: target)
            return .text("new")
        }
        let process = try await command.run(command.url("/x"))
        #expect(process.end == .exited(1))
        let error = "fetch: \(command.url("/x")): 'x' exists; the complete file is kept as '.x.part'"
        #expect(process.errors.hasPrefix(error))
        #expect(command.content("x") == Data("sudden".utf8))
        #expect(command.content(".x.part") == Data("new".utf8))
    }

    @Test(arguments: [["--force"], []]) func aDirectoryIsNotReplaced(options: [String]) async throws {
        let command = try FetchCommand()
        command.server.on("/x", .text("new"))
        try FileManager.default.createDirectory(
            at: command.directory.appending(path: "x"), withIntermediateDirectories: false)
        let process = try await command.run(options + [command.url("/x")])
        #expect(process.end == .exited(1))
        #expect(process.errors == "fetch: \(command.url("/x")): 'x' is a directory\n")
        #expect(command.files == ["x"])
    }

    @Test func twoFilesOfOneNameAreBothKept() async throws {
        let command = try FetchCommand()
        command.server.on("/a/x.txt", .text("first").delayed(by: .milliseconds(100)))
        command.server.on("/b/x.txt", .text("second"))
        let process = try await command.run("-q", command.url("/a/x.txt"), command.url("/b/x.txt"))
        #expect(process.end == .exited(0))
        #expect(command.content("x.txt") == Data("first".utf8))
        #expect(command.content("x-2.txt") == Data("second".utf8))
    }

    @Test func wrongUsageFetchesNothing() async throws {
        let command = try FetchCommand()
        command.server.on("/x", .text("x"))
        let process = try await command.run("--jobs=0", "ftp://h/x", command.url("/x"))
        #expect(process.end == .exited(2))
        #expect(process.output == "")
        #expect(
            process.errors == """
                fetch: '--jobs' needs a whole number from 1 to 64, not '0'
                fetch: 'ftp://h/x' is not an http or https URL: fetch cannot load 'ftp:'
                Try 'fetch --help'.

                """)
        #expect(command.server.requests.isEmpty && command.files.isEmpty)
        let help = try await command.run("--help")
        #expect(help.end == .exited(0) && help.output == Help.text + "\n" && help.errors == "")
        let version = try await command.run("--version")
        #expect(version.end == .exited(0) && version.output == Help.version + "\n" && version.errors == "")
    }

    /// `ulimit` counts in units of 512 bytes or of kilobytes. The file is larger than 10 of either unit.
    @Test(.disabled(if: FetchCommand.isThreadSanitized)) func aDiskThatIsFull() async throws {
        let command = try FetchCommand()
        command.server.on("/big", .generated(size: 40_000_000))
        command.server.on("/small", .text("small").delayed(by: .milliseconds(200)))
        let process = try await command.run(
            shell: "trap '' XFSZ; ulimit -f 10; exec \"$@\"", command.url("/big"), command.url("/small"))
        #expect(process.end == .exited(1))
        #expect(process.errors == "fetch: \(command.url("/big")): cannot write 'big': File too large\n")
        #expect(lines(process) == ["200       5 B T  small", "1 file, 5 B, T, R, 1 failed"])
        #expect(command.files == ["small"])
    }

    @Test(.enabled(if: hasDevFull)) func standardOutputThatIsFull() async throws {
        let command = try FetchCommand()
        for path in ["/a", "/b"] { command.server.on(path, .text("x")) }
        let process = try await command.run(shell: "exec \"$@\" >/dev/full", command.url("/a"), command.url("/b"))
        #expect(process.end == .exited(1))
        #expect(process.errors == "fetch: cannot write to standard output: No space left on device\n")
        #expect(command.files == ["a", "b"])
    }

    @Test func jobsAreLimited() async throws {
        let command = try FetchCommand()
        let paths = (0..<9).map { "/\($0)" }
        for path in paths { command.server.on(path, .text("x").delayed(by: .milliseconds(50))) }
        let process = try await command.run(["-j3", "-q"] + paths.map(command.url))
        #expect(process.end == .exited(0))
        #expect(command.server.requests.count == 9)
        #expect(command.server.acceptedConnectionCount <= 3)
    }

    @Test func theDemonstrationNeedsNoArguments() async throws {
        let command = try FetchCommand()
        let process = try await command.run(environment: [
            "TMPDIR": command.directory.path, "http_proxy": "http://127.0.0.1:1",
        ])
        #expect(process.end == .exited(0))
        #expect(process.errors == "")
        let lines = lines(process)
        try #require(lines.count == 26)
        #expect(lines[0].hasPrefix("Fetching from http://127.0.0.1:"))
        #expect(lines[1...24].allSatisfy { $0.hasPrefix("200  ") })
        #expect(lines[25].hasPrefix("24 files, "))
        #expect(command.files == [])
    }
}
