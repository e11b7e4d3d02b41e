import Foundation
import LoopbackServer
import TestSupport
import Testing

@testable import fetch

@Suite(.serialized, .timeLimit(.minutes(10)))
struct RunTests {
    @Test func filesAndTheirSummary() async throws {
        let command = try FetchCommand()
        command.respond(to: "/x.txt", .generated(size: 200_000), when: "0/2 files", in: "errors")
        command.respond(to: "/b/x.txt", .text("second").untilClose(), when: "1/2 files(:.*| [.]{3})$", in: "errors")
        let process = try await command.run(
            shell: "exec \"$@\" 2>errors", "-j", "1", "-o", "new/d", command.url("/x.txt"), command.url("/b/x.txt"))
        let errors = String(decoding: command.content("errors") ?? Data(), as: UTF8.self)
        #expect(process.end == .exited(0), "\(process)")
        let lines = #/ +200 kB +.+ s  new\/d\/x.txt\n +6 B +.+ s  new\/d\/x-2.txt\n2 files, 200 kB, .+ s\n/#
        #expect(process.output.wholeMatch(of: lines) != nil, "\(process.output)")
        #expect(errors.contains(#/^0\/2 files \.\.\.\n(.*\n)*2\/2 files \.\.\. done\n$/#), "\(errors)")
        #expect(errors.contains("fetch: new/d/x-2.txt: may be incomplete;"), "\(errors)")
        #expect(command.server.acceptedConnectionCount == 1)
        #expect(command.files == ["errors", "new", "new/d", "new/d/x-2.txt", "new/d/x.txt"])
        #expect(command.holds("new/d/x.txt", size: 200_000))
    }

    @Test(arguments: [("b", "b"), ("e/f", "e/f"), ("d", "d/a"), ("g/", "g/a"), ("~/", "~/a"), ("", "a")])
    func oneURLIsWrittenToAFile(output: String, path: String) async throws {
        let command = try FetchCommand()
        command.server.on("/a", .text("a"))
        try FileManager.default.createDirectory(at: command.file("d"), withIntermediateDirectories: false)
        let process = try await command.run((output.isEmpty ? [] : ["-o", output]) + [command.url("/a")])
        #expect(process.output.hasSuffix("  \(path)\n") && command.content(path) == Data("a".utf8))
    }

    @Test func aFileThatExists() async throws {
        let command = try FetchCommand()
        command.server.on("/x", .text("new"))
        for name in ["x", ".x.part"] { try Data("old".utf8).write(to: command.file(name)) }
        let process = try await command.run([command.url("/x")])
        #expect(process.end == .exited(1) && process.errors.hasSuffix("x, or -c to skip it\n"), "\(process)")
        let skipped = try await command.run(["-c", command.url("/x")])
        #expect(skipped.end == .exited(0) && skipped.errors == "" && skipped.output.contains(#/3 B +exists  x\n$/#))
        #expect(command.content("x") == Data("old".utf8) && command.server.requests.isEmpty)
        let forced = try await command.run(["--force", command.url("/x")])
        #expect(forced.end == .exited(0) && command.content("x") == Data("new".utf8) && command.files == ["x"])
    }

    @Test func failuresAndRetriesArePrinted() async throws {
        let command = try FetchCommand()
        let response = Response.generated(size: 200_000).ranged(entityTag: "\"1\"")
        let cuts = [50_000, 40_000].map { response.cut(.reset, after: $0) }
        let unverifiable = Response.generated(size: 200_000).untilClose().cut(.reset, after: 10_000)
        command.server.on("/x", cuts[0], cuts[1], .status(503).untilClose(), unverifiable, response)
        command.server.on("/404", .status(404))
        let words = ["--timeline=trace", "--retries", "1", "-j", "1"] + ["/404", "/x"].map(command.url)
        let failed = try await command.run(words)
        #expect(failed.end == .exited(1) && failed.output.hasSuffix(", 2 failed\n"))
        let lines = failed.errors.split(separator: "\n").filter { $0.hasPrefix("fetch: ") }
        try #require(lines.count == 5, "\(failed.errors)")
        #expect(lines[0] == "fetch: 404: 404 Not Found", "\(lines[0])")
        #expect(lines[1].contains(#/x: retrying (now|in \d\.[1-9] s) \(attempt 2\): .* 50 of 200 kB$/#), "\(lines[1])")
        #expect(lines[2].contains(" (attempt 3): ") && lines[3] == "fetch: x: 503 Service Unavailable", "\(lines)")
        #expect(lines[4] == "fetch: kept 90 kB of x; resume with -c")
        let trace = try Trace(contentsOf: command.file("trace"))
        #expect(trace.rows(named: "x").reduce(0) { $0 + $1.slices.count } == 5, "\(trace)")

        let resumed = try await command.run(["-q", command.url("/x")])
        #expect(resumed.end == .exited(0) && resumed.output + resumed.errors == "" && command.holds("x", size: 200_000))
    }

    /// With a limit of one block, the part's description is cut off, as on a full disk.
    @Test(arguments: [("3000", "kept 1.5 MB of x; resume"), ("1", "x: cannot be resumed")])
    func aFileLimit(blocks: String, text: String) async throws {
        let command = try FetchCommand()
        command.server.on("/x", .generated(size: 3_000_000).ranged(entityTag: "\"\(Array(1...300))\""))
        let script = "trap '' XFSZ; ulimit -f \(blocks); exec \"$@\""
        let process = try await command.run(shell: script, "-q", command.url("/x"))
        #expect(process.end == .exited(1) && process.errors.contains(text), "\(process)")
    }

    @Test func wrongUsageFetchesNothing() async throws {
        let command = try FetchCommand()
        let process = try await command.run(["--jobs=0", command.url("/x")])
        #expect(process.end == .exited(2) && process.output == "" && command.server.requests.isEmpty)
        #expect(process.errors.contains("'--jobs'") && process.errors.hasSuffix("fetch --help'.\n"))
        let help = try await command.run(["--help"])
        #expect(help.end == .exited(0) && help.output == Help.text + "\n" && help.errors == "")
    }

    @Test(arguments: [["-o", "file/d/"], ["--timeline=no/trace"]])
    func aPathThatCannotBeWritten(words: [String]) async throws {
        let command = try FetchCommand()
        try Data().write(to: command.file("file"))
        let process = try await command.run(words + [command.url("/x")])
        #expect(process.end == .exited(1) && process.output == "" && command.server.requests.isEmpty)
        #expect(process.errors.contains(#/^fetch: .*(file\/d|no)\/.*: \w+/#), "\(process.errors)")
    }

    @Test(arguments: [">/dev/full", ">&-"]) func aResultThatCannotBeWritten(redirection: String) async throws {
        let command = try FetchCommand()
        for path in ["/a", "/b"] { command.server.on(path, .text("x")) }
        let process = try await command.run(shell: "exec \"$@\" \(redirection)", command.url("/a"), command.url("/b"))
        #expect(process.end == .exited(1) && ["a", "b"].allSatisfy { command.content($0) == Data("x".utf8) })
    }

    @Test func theDemonstrationNeedsNoArguments() async throws {
        let command = try FetchCommand()
        let process = try await command.run(
            [], environment: ["TMPDIR": command.directory.path, "http_proxy": "http://127.0.0.1:1"])
        #expect(process.end == .exited(0) && process.errors.contains(#/(^|\n)fetch: [^\n]*: retrying /#), "\(process)")
        let lines = process.output.split(separator: "\n")
        try #require(lines.count == 27, "\(process.output)")
        #expect(lines[0].contains("on purpose") && lines[25].hasPrefix("24 files, "))
        #expect(lines[26].contains("'swift run fetch URL'") && command.files == [])
    }
}
