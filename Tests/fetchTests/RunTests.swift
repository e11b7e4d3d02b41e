import Foundation
import LoopbackServer
import TestSupport
import Testing

@testable import fetch

@Suite(.serialized, .timeLimit(.minutes(10)))
struct RunTests {
    private let command: FetchCommand

    init() throws { command = try FetchCommand() }

    /// Without a terminal, each result is reported once, in the order in which it happened.
    @Test func filesAndTheirSummary() async throws {
        command.respond(to: "/x.txt", .generated(size: 200_000), when: "0/3 files", in: "log")
        command.server.on("/404", .status(404))
        command.respond(to: "/b/x.txt", .text("second").untilClose(), when: "404 Not Found", in: "log")
        let words = ["-j", "1", "-o", "new/d"] + ["/x.txt", "/404", "/b/x.txt"].map(command.url)
        let process = try await command.run(shell: "exec \"$@\" >log 2>&1", words)
        let log = String(decoding: command.content("log") ?? Data(), as: UTF8.self)
        #expect(process.end == .exited(1), "\(process)")
        let lines =
            #/
            0\/3\ files\ \.\.\.\n
            (0\/3\ files.+\n)*
            ok\ +200\ kB\ +in\ \d.+s\ +new\/d\/x.txt\n
            (1\/3\ files.+\n)*
            FAILED\ new\/d\/404:\ 404\ Not\ Found\n
            (1\/3\ files,\ 1\ failed.+\n)*
            ok\ +6\ B\ +in\ \d.+s\ +new\/d\/x-2.txt\n
            new\/d\/x-2.txt:\ may\ be\ incomplete;.*\n
            2\ files,\ 200\ kB,\ in\ .+\ s,\ 1\ failed\n
            /#
        #expect(log.wholeMatch(of: lines) != nil, "\(log)")
        #expect(command.files == ["log", "new", "new/d", "new/d/x-2.txt", "new/d/x.txt"])
        #expect(command.holds("new/d/x.txt", size: 200_000))
    }

    @Test(arguments: [
        ("b", "b"), ("e/f", "e/f"), ("d", "d/a"), ("g/", "g/a"), ("~/", "~/a"), ("", "a"), ("link", "link/a"),
    ])
    func oneURLIsWrittenToAFile(output: String, path: String) async throws {
        command.server.on("/a", .text("a"))
        try FileManager.default.createDirectory(at: command.file("d"), withIntermediateDirectories: false)
        try FileManager.default.createSymbolicLink(atPath: command.file("link").path, withDestinationPath: "d")
        let process = try await command.run((output.isEmpty ? [] : ["-o", output]) + [command.url("/a")])
        #expect(process.output.hasSuffix("  \(path)\n") && command.content(path) == Data("a".utf8))
    }

    /// A link is followed, also to a file.
    @Test func aFileThatExists() async throws {
        command.server.on("/x", .text("new"))
        for name in ["x", ".x.part"] { try Data("old".utf8).write(to: command.file(name)) }
        try FileManager.default.createSymbolicLink(atPath: command.file("link").path, withDestinationPath: "x")
        let process = try await command.run([command.url("/x")])
        #expect(process.end == .exited(1) && process.errors.hasPrefix("FAILED x: "), "\(process)")
        #expect(process.errors.hasSuffix("; use --force to replace it, or -c to skip it\n"))
        let skipped = try await command.run(["-c", "-o", "link", command.url("/x")])
        #expect(skipped.end == .exited(0) && skipped.errors == "" && skipped.output.contains(#/3 B +exists  link\n$/#))
        #expect(command.content("x") == Data("old".utf8) && command.server.requests.isEmpty)
        let forced = try await command.run(["--force", "-olink", command.url("/x")])
        #expect(forced.end == .exited(0) && command.content("x") == Data("new".utf8) && command.files == ["link", "x"])
    }

    @Test func failuresAndRetriesArePrinted() async throws {
        let response = Response.generated(size: 200_000).ranged(entityTag: "\"1\"")
        let cuts = [50_000, 40_000].map { response.cut(.reset, after: $0) }
        let unverifiable = Response.generated(size: 200_000).untilClose().cut(.reset, after: 10_000)
        command.server.on("/x", cuts[0], cuts[1], .status(503).untilClose(), unverifiable, response)
        command.server.on("/404", .status(404))
        let words = ["--timeline=trace", "--retries", "1", "-j", "1"] + ["/404", "/x"].map(command.url)
        let failed = try await command.run(words)
        #expect(failed.end == .exited(1) && failed.output.hasSuffix(", 2 failed\n"))
        let lines = failed.errors.split(separator: "\n").filter { !$0.hasPrefix("0/2 files") }
        try #require(lines.count == 3, "\(failed.errors)")
        #expect(lines[0] == "FAILED 404: 404 Not Found")
        #expect(lines[1].contains(#/^x: retrying in [12] s, .* 50 of 200 kB/#), "\(lines[1])")
        #expect(
            lines[2].contains(#/^FAILED x: 503 Service Unavailable.*; kept 90 kB, run fetch again with -c to resume$/#),
            "\(lines[2])")
        let trace = try Trace(contentsOf: command.file("trace"))
        #expect(trace.rows(named: "x").reduce(0) { $0 + $1.slices.count } == 3, "\(trace)")

        let resumed = try await command.run(["-q", "-c", command.url("/x")])
        #expect(resumed.end == .exited(0) && resumed.output + resumed.errors == "" && command.holds("x", size: 200_000))
    }

    /// A file that retries again and again has a line for the first and the last time.
    @Test func retriesWithProgressArePrintedTwice() async throws {
        let response = Response.generated(size: 200_000).ranged(entityTag: "\"1\"")
        let cuts = [50_000, 40_000, 30_000].map { response.cut(.reset, after: $0) }
        command.server.on("/x", cuts[0], cuts[1], cuts[2], response)
        let process = try await command.run(["--retries", "1", command.url("/x")])
        let lines = process.errors.split(separator: "\n").filter { !$0.hasPrefix("x ...") && !$0.contains(" %") }
        #expect(process.end == .exited(0) && lines.count == 2, "\(process)")
        #expect(lines.first?.contains(#/^x: retrying .* 50 of 200 kB/#) == true, "\(lines)")
        #expect(lines.last?.contains(#/^x: retried 3 times, .* 120 of 200 kB/#) == true, "\(lines)")
    }

    @Test func aDirectoryWithTheNameOfTheFile() async throws {
        command.server.on("/x", .text("Hello"))
        try FileManager.default.createDirectory(at: command.file("x"), withIntermediateDirectories: false)
        for isAgain in [false, true] {
            let process = try await command.run((isAgain ? ["-c"] : []) + [command.url("/x")])
            #expect(process.end == .exited(0) && process.output.hasSuffix("  x/x\n"), "\(process)")
        }
    }

    /// The server compresses the file although the request forbids it.
    @Test func aCompressedFileIsStoredAsItWasSent() async throws {
        let body = Body.generated(size: 2_000, seed: 1)
        let response = Response(status: 200, headers: ["Content-Encoding": "GZIP"], body: body)
        command.server.on("/x", response, response.untilClose())
        let complete = try await command.run(["-q", command.url("/x")])
        #expect(complete.end == .exited(0) && complete.errors == "x: stored compressed (gzip)\n", "\(complete)")
        #expect(command.holds("x", size: 2_000))
        let unknown = try await command.run(["-q", "--force", command.url("/x")])
        #expect(
            unknown.errors.hasSuffix("x: may be incomplete; the server sends no usable length\n"),
            "\(unknown)")
    }

    /// The old file must not count as done, so the hint repeats the option of the failed run.
    @Test func theHintAfterAFailedReplacementFinishesTheJob() async throws {
        let response = Response.generated(size: 200_000).ranged(entityTag: "\"1\"")
        command.server.on("/x", response.cut(.reset, after: 50_000), response)
        try Data("old".utf8).write(to: command.file("x"))
        let failed = try await command.run(["-q", "--force", "--retries", "0", command.url("/x")])
        let hint = try #require(
            failed.errors.firstMatch(of: #/fetch again with (\S+) to resume\n/#)?.output.1, "\(failed.errors)")
        let resumed = try await command.run([String(hint), command.url("/x")])
        #expect(resumed.end == .exited(0) && command.holds("x", size: 200_000))
        #expect(command.server.requests("/x").last?.headers["Range"] == "bytes=50000-")
    }

    /// With a limit of one block, the part's description is cut off, as on a full disk.
    @Test(arguments: [("3000", true), ("1", false)])
    func aFileLimit(blocks: String, isKept: Bool) async throws {
        command.server.on("/x", .generated(size: 3_000_000).ranged(entityTag: "\"\(Array(1...300))\""))
        let script = "trap '' XFSZ; ulimit -f \(blocks); exec \"$@\""
        let process = try await command.run(shell: script, ["-q", command.url("/x")])
        #expect(
            process.end == .exited(1) && process.errors.contains("; kept 1.5 MB, run fetch again to resume") == isKept,
            "\(process)")
    }

    @Test func wrongUsageFetchesNothing() async throws {
        let process = try await command.run(["--jobs=0", command.url("/x")])
        #expect(process.end == .exited(2) && process.output == "" && command.server.requests.isEmpty)
        #expect(process.errors.contains("'--jobs'") && process.errors.hasSuffix("fetch --help'.\n"))
        let help = try await command.run(["--help"])
        #expect(help.end == .exited(0) && help.output == Help.text + "\n" && help.errors == "")
    }

    @Test(arguments: [["-o", "file/d/"], ["--timeline=no/trace"]])
    func aPathThatCannotBeWritten(words: [String]) async throws {
        try Data().write(to: command.file("file"))
        let process = try await command.run(words + [command.url("/x")])
        #expect(process.end == .exited(1) && process.output == "" && command.server.requests.isEmpty)
        #expect(process.errors.contains(#/^(FAILED file\/d|fetch: .*no)\/.*: \w+/#), "\(process.errors)")
    }

    @Test(arguments: [
        (">/dev/full", "No space left on device"), ("| true", "Broken pipe"), (">&-", "Bad file descriptor"),
    ])
    func aResultThatCannotBeWritten(redirection: String, reason: String) async throws {
        for path in ["/a", "/b"] { command.server.on(path, .text("x")) }
        let script = "{ \"$@\"; echo $? >status; } \(redirection)"
        let process = try await command.run(shell: script, [command.url("/a"), command.url("/b")])
        #expect(process.errors.contains("fetch: cannot write to standard output: \(reason)\n"), "\(process)")
        #expect(command.content("status") == Data("1\n".utf8), "\(process)")
        #expect(["a", "b"].allSatisfy { command.content($0) == Data("x".utf8) })
    }

    /// The reader is so slow that the pipe stays full.
    @Test func standardOutputMayBeANonBlockingPipe() throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        let reader = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)
        _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
        var size = 0
        while write(ends[1], "x", 1) > 0 { size += 1 }
        let (text, errors) = (String(repeating: "x", count: 3 * size), Log<Int32>())
        Thread.detachNewThread { [output = ends[1]] in
            errors.add(Console.write(text, to: output))
            close(output)
        }
        var byte: UInt8 = 0
        for _ in 0..<size { read(ends[0], &byte, 1) }
        #expect(reader.readDataToEndOfFile().count == 3 * size)
        #expect(errors.entries == [0])
    }

    /// Foundation replaces the bytes of `caf\xe9`, so `fetch` would create and use a sibling of the directory.
    @Test(arguments: [
        ("cd caf$e", "", "working directory"), ("cd caf$e", "--timeline=t -o /none/", "working directory"),
        ("cd caf$e && rmdir ../caf$e", "", "working directory"), (":", "-o caf$e/", "'caf\u{FFFD}/'"),
        (":", "--timeline=caf$e/t", "'--timeline=caf\u{FFFD}/t'"),
    ])
    func aPathThatIsNotUTF8(change: String, options: String, reason: String) async throws {
        let script = "e=$(printf '\\351'); mkdir caf$e; \(change); \"$1\" \(options) \"$2\"; echo $? >&2; ls | wc -l"
        let process = try await command.run(shell: script, [command.url("/x")])
        #expect(process.errors.hasPrefix("fetch: ") && process.errors.contains(reason), "\(process)")
        #expect(process.errors.hasSuffix("2\n") && command.server.requests.isEmpty, "\(process)")
        #expect(!command.files.contains("caf\u{FFFD}x") && command.files.count <= 1, "\(command.files)")
    }

    /// Each text that a user or a server writes could otherwise move the cursor, or set the window's title.
    @Test func noTextControlsTheTerminal() async throws {
        command.server.on("/x", .text("x"))
        let code = "\u{1B}]0;title\u{7}\u{9B}2J\u{202E}"
        let usages = [
            ["ftp://\(code)"], ["https://me:\(code)"], [code], ["--\(code)"], ["--\(code)=1"], ["-\(code)"],
            ["-q\(code)"], ["-j", code], ["--jobs=\(code)"], ["--retries", code], ["--quiet=\(code)"],
        ]
        let runs = [
            ["-o", "a\(code)"], ["-o", "a\(code)"], ["-c", "-o", "a\(code)"], ["-o", "\(code)/"],
            ["-o", "/none/\(code)"], ["--timeline=/none/\(code)"],
        ]
        for words in usages + runs.map({ $0 + [command.url("/x")] }) {
            let process = try await command.run(words)
            let text = process.output + process.errors
            let isHarmless = text.unicodeScalars.allSatisfy {
                $0 == "\n" || $0.properties.generalCategory != .control && !$0.properties.isBidiControl
            }
            #expect(isHarmless && !text.isEmpty, "\(words): \(text.debugDescription)")
        }
    }

    @Test func theDemonstrationNeedsNoArguments() async throws {
        let process = try await command.run(
            [], environment: ["TMPDIR": command.directory.path, "http_proxy": "http://127.0.0.1:1"])
        #expect(process.end == .exited(0) && process.errors.contains(#/(^|\n)[^\n]*: retrying /#), "\(process)")
        let lines = process.output.split(separator: "\n")
        try #require(lines.count == 27, "\(process.output)")
        #expect(lines[0].contains("on purpose") && lines[25].hasPrefix("24 files, "))
        #expect(lines[26].contains("'swift run fetch URL'") && command.files == [])
    }
}
