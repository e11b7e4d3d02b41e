import Foundation
import LoopbackServer
import NetworkIndicatorTransfers
import TestSupport
import Testing

@testable import fetch

@Suite(.serialized, .timeLimit(.minutes(10)))
struct RunTests {
    @Test func filesAndTheirSummary() async throws {
        let command = try FetchCommand()
        command.server.on("/x.txt", .generated(size: 200_000).delayed(by: .milliseconds(100)))
        command.server.on("/b/x.txt", .text("second"))
        let process = try await command.run("-o", "new/d", command.url("/x.txt"), command.url("/b/x.txt"))
        #expect(process.end == .exited(0) && process.errors == "")
        #expect(process.output.contains(#/ 200 kB +\d\.\d s  new\/d\/x\.txt\n/#), "\(process.output)")
        #expect(process.output.contains(#/ 6 bytes +\d\.\d s  new\/d\/x-2\.txt\n/#), "\(process.output)")
        #expect(process.output.contains(#/\n2 files, 200 kB, \d\.\d s\n$/#), "\(process.output)")
        #expect(command.files == ["new", "new/d", "new/d/x-2.txt", "new/d/x.txt"])
        #expect(command.holds("new/d/x.txt", size: 200_000))
    }

    @Test(arguments: [("b", "b"), ("e/f", "e/f"), ("d", "d/a"), ("g/", "g/a"), ("~/", "~/a"), ("", "a")])
    func oneURLIsWrittenToAFile(output: String, path: String) async throws {
        let command = try FetchCommand()
        command.server.on("/a", .text("a"))
        try FileManager.default.createDirectory(at: command.file("d"), withIntermediateDirectories: false)
        let process = try await command.run((output.isEmpty ? [] : ["-o", output]) + [command.url("/a")])
        #expect(process.end == .exited(0) && process.errors == "")
        #expect(process.output.hasSuffix("  \(path)\n") && command.content(path) == Data("a".utf8))
    }

    @Test func aFileThatExists() async throws {
        let command = try FetchCommand()
        command.server.on("/x", .text("new"))
        for name in ["x", ".x.part"] { try Data("old".utf8).write(to: command.file(name)) }
        let process = try await command.run(command.url("/x"))
        #expect(process.end == .exited(1) && process.errors.contains("'x'") && !process.errors.contains("kept"))
        #expect(process.errors.contains("--force") && process.errors.contains("-c"), "\(process.errors)")
        let skipped = try await command.run("-c", command.url("/x"))
        #expect(skipped.end == .exited(0) && skipped.errors == "" && skipped.output.contains(#/3 bytes +exists  x\n$/#))
        #expect(command.content("x") == Data("old".utf8) && command.server.requests.isEmpty)
        let forced = try await command.run("--force", command.url("/x"))
        #expect(forced.end == .exited(0) && command.content("x") == Data("new".utf8))
        #expect(command.files == ["x"])
    }

    @Test(arguments: ["link", "fifo"], [[], ["-c"], ["--force"]]) func aPathThatIsNoFile(name: String, words: [String])
        async throws
    {
        let command = try FetchCommand()
        mkfifo(command.file("fifo").path, 0o600)
        try FileManager.default.createSymbolicLink(
            atPath: command.file("link").path, withDestinationPath: command.file("none").path)
        let process = try await command.run(words + ["-o", name, command.url("/x")])
        #expect(process.end == .exited(1) && process.output == "")
        #expect(process.errors.contains("/\(name): ") && !process.errors.contains("--force"), "\(process.errors)")
        #expect(command.server.requests.isEmpty && command.files == ["fifo", "link"])
    }

    @Test func anErrorIsPrintedWhenItHappens() async throws {
        let command = try FetchCommand()
        // The server retains the closure, so the closure must not retain the command.
        let file = command.file("errors")
        let errors: @Sendable () -> String = {
            String(decoding: FileManager.default.contents(atPath: file.path) ?? Data(), as: UTF8.self)
        }
        command.server.on("/404", .status(404))
        let slow = Response.generated(size: 5_000).dripping(1, every: .milliseconds(20)) { errors().contains("404") }
        command.server.on("/slow", slow)
        let process = try await command.run(
            shell: "exec \"$@\" 2>errors", command.url("/404"), command.url("/slow"))
        #expect(process.end == .exited(1))
        #expect(errors().hasPrefix("fetch: \(command.url("/404")): 404 "), "\(errors())")
        #expect(process.output.contains(#/ 5 kB +[0-9.]+ s  slow\n1 file, .*, 1 failed\n$/#), "\(process.output)")
        #expect(command.files == ["errors", "slow"])
    }

    /// Another text follows the reason, such as `; kept 1 MB`.
    @Test func aReasonHasNoPeriod() {
        let error = DownloadError.file(.write, url: URL(filePath: "/x"), code: .ENOSPC)
        #expect(error.reason == "Cannot write /x: No space left on device")
    }

    @Test func aRetryIsAnnounced() async throws {
        let command = try FetchCommand()
        let response = Response.generated(size: 200_000).ranged(entityTag: "\"1\"")
        command.server.on("/x", response.cut(.reset, after: 70_000), .status(503).untilClose(), .reset, response)
        let words = ["--timeline=trace", "--retries", "2", command.url("/x")]
        let failed = try await command.run(words)
        #expect(failed.end == .exited(1))
        let lines = failed.errors.split(separator: "\n")
        try #require(lines.count == 3, "\(failed.errors)")
        #expect(lines[0].contains(#/: retrying in \d\.\d s \(2 of 3\): .* 70 of 200 kB /#), "\(lines[0])")
        #expect(lines[1].contains(#/\(3 of 3\): .*503/#), "\(lines[1])")
        #expect(lines[2].contains(#/3 attempts.*; kept 70 kB, .*-c$/#), "\(lines[2])")
        let trace = try Trace(contentsOf: command.file("trace"))
        #expect(trace.rows(named: "x").reduce(0) { $0 + $1.slices.count } == 5, "\(trace)")

        let resumed = try await command.run("-q", command.url("/x"))
        #expect(resumed.end == .exited(0) && resumed.errors == "" && resumed.output == "")
        #expect(command.files == ["trace", "x"] && command.holds("x", size: 200_000))
    }

    @Test func withoutATerminalTheIndicatorTurnsOffAtOnce() async throws {
        let command = try FetchCommand()
        command.server.on("/x", .text("x").delayed(by: .milliseconds(300)))
        let process = try await command.run("--timeline=trace", command.url("/x"))
        #expect(process.end == .exited(0), "\(process)")
        let trace = try Trace(contentsOf: command.file("trace"))
        let off = try #require(trace.rows(named: "indicator").first?.slices.last?.end)
        let end = try #require(trace.rows(named: "x").first?.slices.last?.end)
        #expect(off - end < 250_000, "\(trace)")
    }

    @Test func wrongUsageFetchesNothing() async throws {
        let command = try FetchCommand()
        let process = try await command.run("--jobs=0", command.url("/x"))
        #expect(process.end == .exited(2) && process.output == "")
        #expect(process.errors.contains("'--jobs'") && process.errors.hasSuffix("fetch --help'.\n"))
        let password = try await command.run("ftp://me:secret@h/")
        #expect(password.end == .exited(2) && !password.errors.contains("secret"), "\(password.errors)")
        #expect(command.server.requests.isEmpty && command.files.isEmpty)
        let help = try await command.run("--help")
        #expect(help.end == .exited(0) && help.output == Help.text + "\n" && help.errors == "")
    }

    @Test(arguments: [["-o", "file/d/"], ["--timeline=no/trace"]])
    func aPathThatCannotBeWritten(words: [String]) async throws {
        let command = try FetchCommand()
        try Data().write(to: command.file("file"))
        let process = try await command.run(words + [command.url("/x")])
        #expect(process.end == .exited(1) && process.output == "")
        #expect(process.errors.contains(#/^fetch: .*(file\/d'|no\/trace): \w+/#), "\(process.errors)")
        #expect(command.server.requests.isEmpty && command.files == ["file"])
    }

    @Test(arguments: [">/dev/full", ">&-"]) func aResultThatCannotBeWritten(redirection: String) async throws {
        let command = try FetchCommand()
        for path in ["/a", "/b"] { command.server.on(path, .text("x")) }
        let process = try await command.run(
            shell: "exec \"$@\" \(redirection)", "-j", "1", command.url("/a"), command.url("/b"))
        #expect(process.end == .exited(1) && command.files == ["a", "b"])
        #expect(command.content("a") == Data("x".utf8) && command.content("b") == Data("x".utf8))
        #expect(process.errors.split(separator: "\n").count == 1, "\(process.errors)")
    }

    @Test func aFileThatMayBeIncompleteIsReported() async throws {
        let command = try FetchCommand()
        command.server.on("/whole", .text("abc").chunked())
        command.server.on("/open", .text("abc").untilClose())
        let process = try await command.run(["/whole", "/open"].map(command.url))
        #expect(process.end == .exited(0) && command.files == ["open", "whole"])
        #expect(process.errors.contains(#/^fetch: open: .*incomplete.*\n$/#), "\(process.errors)")
    }

    @Test func jobsAreLimited() async throws {
        let command = try FetchCommand()
        let paths = (0..<9).map { "/\($0)" }
        for path in paths { command.server.on(path, .text("x").delayed(by: .milliseconds(50))) }
        let process = try await command.run(["-j", "3", "-q"] + paths.map(command.url))
        #expect(process.end == .exited(0) && command.server.requests.count == 9)
        #expect(command.server.acceptedConnectionCount <= 3)
    }

    @Test func theDemonstrationNeedsNoArguments() async throws {
        let command = try FetchCommand()
        let process = try await command.run(
            [], environment: ["TMPDIR": command.directory.path, "http_proxy": "http://127.0.0.1:1"])
        #expect(process.end == .exited(0) && process.errors.contains(#/^fetch: [^\n]*: retrying in [^\n]*\n$/#))
        #expect(process.output.split(separator: "\n").count == 27 && process.output.contains("\n24 files, "))
        #expect(command.files == [])
    }
}
