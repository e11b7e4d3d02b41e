import Foundation
import LoopbackServer
import TestSupport
import Testing

/// Files that go to standard output, and servers whose files can't be resumed.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct StreamTests {
    @Test func aFileGoesToStandardOutput() async throws {
        let command = try FetchCommand()
        command.server.on("/a", .generated(size: 300_000).delayed(by: .milliseconds(50)))
        let process = try await command.run(shell: "\"$@\" >copy", "-o", "-", command.url("/a"))
        #expect(process.end == .exited(0))
        #expect(command.files == ["copy"] && command.holds("copy", size: 300_000))
        #expect(process.errors.contains(#/^200  300\.0 kB +\d\.\d\d s  -\n$/#), "\(process.errors)")
    }

    @Test func bytesAreWrittenAsTheyArrive() async throws {
        let command = try FetchCommand()
        command.server.on("/a", .generated(size: 300_000).cut(.stall, after: 100_000))
        let process = try await command.run(shell: "exec \"$@\" >copy", "-o-", command.url("/a")) { pid in
            if WatchedProcess.wait(until: { command.content("copy")?.count == 100_000 }) { kill(pid, SIGTERM) }
        }
        #expect(process.end == .killed(signal: SIGTERM))
        #expect(command.files == ["copy"])
    }

    @Test func aStreamIsResumed() async throws {
        let command = try FetchCommand()
        let response = Response.generated(size: 300_000).ranged(entityTag: "\"1\"")
        command.server.on("/a", .reset, response.cut(.close, after: 100_000), response)
        let process = try await command.run(shell: "echo first >copy; \"$@\" >>copy", "-qo-", command.url("/a"))
        #expect(process.end == .exited(0) && process.errors == "")
        let copy = try #require(command.content("copy"))
        #expect(copy.prefix(6) == Data("first\n".utf8))
        #expect(copy.dropFirst(6) == Data(Body.generated(size: 300_000, seed: 1).bytes(in: 0..<300_000)))
    }

    /// The bytes that were written can't be taken back.
    @Test func aStreamDoesNotStartOver() async throws {
        let command = try FetchCommand()
        let response = Response.generated(size: 300_000)
        command.server.on("/a", response.cut(.close, after: 100_000), response)
        let process = try await command.run(shell: "\"$@\" >copy", "-qo-", command.url("/a"))
        #expect(process.end == .exited(1))
        #expect(
            process.errors == """
                fetch: \(command.url("/a")): the download would start over, but its first part is written \
                (after 2 attempts)

                """)
        #expect(command.content("copy") == Data(Body.generated(size: 300_000, seed: 1).bytes(in: 0..<100_000)))
    }

    @Test(.enabled(if: hasDevFull)) func aFileThatDoesNotFit() async throws {
        let command = try FetchCommand()
        command.server.on("/a", .generated(size: 300_000))
        let process = try await command.run(shell: "\"$@\" >/dev/full", "-qo-", command.url("/a"))
        #expect(process.end == .exited(1))
        #expect(
            process.errors
                == "fetch: \(command.url("/a")): cannot write to standard output: No space left on device\n")
    }

    /// The result goes to standard error, which accepts no lines.
    @Test(arguments: ["2>/dev/full", "2>&-"].filter { hasDevFull || !$0.contains("/dev/full") })
    func aResultThatCannotBeWritten(redirection: String) async throws {
        let command = try FetchCommand()
        command.server.on("/a", .generated(size: 300_000))
        let process = try await command.run(shell: "\"$@\" >copy \(redirection)", "-o-", command.url("/a"))
        #expect(process.end == .exited(1))
        #expect(command.holds("copy", size: 300_000))
        let quiet = try await command.run(shell: "\"$@\" >copy \(redirection)", "-qo-", command.url("/a"))
        #expect(quiet.end == .exited(0))
    }

    @Test func aReaderThatEnds() async throws {
        let command = try FetchCommand()
        command.server.on("/a", .generated(size: 3_000_000).dripping(100_000, every: .milliseconds(20)))
        let process = try await command.run(
            shell: "{ \"$@\"; echo $? >status; } | head -c 5 >copy; cat status; rm status copy", "-o-",
            command.url("/a"))
        #expect(process.output == "\(128 + SIGPIPE)\n" && process.errors == "")
        #expect(command.files == [])
    }

    /// One line for each server, and only if the user wants to continue files.
    @Test func aServerWhoseFilesCannotBeResumedIsNamed() async throws {
        let command = try FetchCommand()
        command.server.on("/a", .text("a"))
        command.server.on("/b", .text("b"))
        command.server.on("/c", Response.text("c").ranged(entityTag: "\"1\""))
        // This Last-Modified is a strong validator.
        var dated = Response.text("d")
        dated.headers = [
            "Accept-Ranges": "bytes", "Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT",
            "Date": "Sun, 06 Nov 1994 09:49:37 GMT",
        ]
        command.server.on("/dated", dated)
        let process = try await command.run(["-c", "-j1"] + ["/c", "/dated", "/a", "/b"].map(command.url))
        #expect(process.end == .exited(0))
        let reason = "the server sends no strong validator (ETag or Last-Modified), or accepts no ranges"
        #expect(process.errors == "fetch: \(command.url("/a")): can't be resumed: \(reason)\n")
        let silent = try await command.run(["/a", "/b"].map(command.url) + ["-o", "d"])
        #expect(silent.end == .exited(0) && silent.errors == "")
    }

    /// The file was complete when its move failed. The next run only moves it.
    @Test func aCompletePartIsOnlyMoved() async throws {
        let command = try FetchCommand()
        let target = command.directory.appending(path: "a")
        command.server.on("/a") { _ in
            try? Data("sudden".utf8).write(to: target)
            return Response.generated(size: 200_000).ranged(entityTag: "\"1\"")
        }
        let first = try await command.run(command.url("/a"))
        #expect(first.end == .exited(1))
        #expect(first.errors == "fetch: \(command.url("/a")): 'a' exists; the complete file is kept as '.a.part'\n")
        try FileManager.default.removeItem(at: target)
        let second = try await command.run("-c", command.url("/a"))
        #expect(second.end == .exited(0) && second.errors == "")
        #expect(command.server.hits("/a") == 1)
        #expect(command.files == ["a"] && command.holds("a", size: 200_000))
    }
}
