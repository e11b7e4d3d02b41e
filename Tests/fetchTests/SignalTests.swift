import Foundation
import LoopbackServer
import NetworkIndicator
import TestSupport
import Testing

/// Signals, and closed outputs.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct SignalTests {
    @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
    func nothingIsLeftBehind(signal: Int32) async throws {
        let command = try FetchCommand()
        for path in ["/a", "/b", "/c"] { command.server.on(path, .generated(size: 100_000).cut(.stall, after: 50_000)) }
        command.server.on("/d", .text("complete"))
        let process = try await command.run(
            command.url("/a"), command.url("/b"), command.url("/c"), command.url("/d")
        ) { pid in
            // Three partial files with content, and a complete one.
            let isTime = WatchedProcess.wait {
                let files = command.files
                let partial = files.filter { $0.hasSuffix(".part") && command.content($0)?.isEmpty == false }
                return partial.count == 3 && files.contains("d")
            }
            if isTime { kill(pid, signal) }
        }
        #expect(process.end == .killed(signal: signal))
        #expect(
            process.errors.split(separator: "\n").sorted() == ["a", "b", "c"].map { "fetch: kept nothing of \($0)" })
        #expect(process.output.contains(#/  d\n1 file, 8 B, [^,]+, 3 interrupted\n$/#), "\(process.output)")
        #expect(command.files == ["d"])
    }

    /// The next run with `--continue` fetches the rest, and nothing twice.
    @Test func whatIsKeptIsSaid() async throws {
        let command = try FetchCommand()
        let response = Response.generated(size: 200_000).ranged(entityTag: "\"1\"")
        command.server.on("/a", .text("a"))
        command.server.on("/b", response.cut(.stall, after: 80_000), response)
        command.server.on("/c", Response.text("c").ranged(entityTag: "\"1\""))
        let words = ["-j1"] + ["/a", "/b", "/c"].map(command.url)
        let first = try await command.run(words) { pid in
            if WatchedProcess.wait(until: { command.content(".b.part")?.count == 80_000 }) { kill(pid, SIGINT) }
        }
        #expect(first.end == .killed(signal: SIGINT))
        #expect(first.errors == "fetch: kept 80.0 kB of b; run the same command with -c\n")
        #expect(
            first.output.contains(#/  a\n1 file, 1 B, [^,]+, 1 interrupted, 1 not begun\n$/#), "\(first.output)")
        let second = try await command.run(["-c"] + words)
        #expect(second.end == .exited(0) && second.errors == "")
        #expect(second.output.hasPrefix("  -       1 B     exists  a\n206  200.0 kB "), "\(second.output)")
        #expect(["/a", "/b", "/c"].map(command.server.hits) == [1, 2, 1])
        #expect(command.server.requests("/b").last?.headers["Range"] == "bytes=80000-")
        #expect(command.files == ["a", "b", "c"] && command.holds("b", size: 200_000))
        let third = try await command.run(["-c"] + words)
        #expect(third.end == .exited(0))
        #expect(third.output.contains(#/\n0 files, 0 B, \d\.\d\d s, 3 skipped\n$/#), "\(third.output)")
        #expect(command.server.requests.count == 4)
    }

    /// After the first signal, the program writes what was kept to a pipe that nothing reads.
    @Test func theSecondSignalEndsTheProgramAtOnce() async throws {
        let command = try FetchCommand()
        let fifo = command.directory.appending(path: "fifo").path
        mkfifo(fifo, 0o600)
        let reader = open(fifo, O_RDWR | O_NONBLOCK)
        defer { close(reader) }
        while write(reader, "full", 4) > 0 {}
        command.server.on("/a", .generated(size: 100_000).cut(.stall, after: 50_000))
        let process = try await command.run(
            shell: "exec \"$@\" 2>fifo", arguments: [command.url("/a")]
        ) { pid in
            let isPartial: () -> Bool = { command.files.contains { $0.hasSuffix(".part") } }
            if WatchedProcess.wait(until: isPartial) { kill(pid, SIGINT) }
            if WatchedProcess.wait(until: { !isPartial() }) { kill(pid, SIGTERM) }
        }
        #expect(process.end == .killed(signal: SIGTERM))
    }

    @Test func theDemonstrationRemovesItsDirectory() async throws {
        let command = try FetchCommand()
        let process = try await command.run(environment: ["TMPDIR": command.directory.path]) { pid in
            guard WatchedProcess.wait(until: { command.files.contains { $0.hasSuffix(".part") } }) else { return }
            kill(pid, SIGINT)
        }
        #expect(process.end == .killed(signal: SIGINT))
        #expect(process.errors == "")
        #expect(command.files == [])
    }

    /// A program ignores signals under `nohup`, or in the background of a script.
    @Test func anIgnoredSignalStaysIgnored() async throws {
        let command = try FetchCommand()
        let (isAsked, response) = (Lock(false), DispatchSemaphore(value: 0))
        command.server.on("/a") { _ in
            isAsked.withLock { $0 = true }
            response.wait()
            return .text("a")
        }
        let process = try await command.run(shell: "trap '' INT; exec \"$@\"", command.url("/a")) { pid in
            if WatchedProcess.wait(until: { isAsked.withLock { $0 } }) { kill(pid, SIGINT) }
            response.signal()
        }
        #expect(process.end == .exited(0))
        #expect(command.files == ["a"])
    }

    /// With SIGPIPE ignored, the files are fetched even if the output is closed.
    @Test func aClosedOutputMayBeIgnored() async throws {
        let command = try FetchCommand()
        for path in ["/a", "/b"] { command.server.on(path, .text(path)) }
        let process = try await command.run(
            shell: "trap '' PIPE; { \"$@\"; echo $? >status; } | true; cat status; rm status", "-j1",
            command.url("/a"), command.url("/b"))
        #expect(process.output == "1\n")
        #expect(process.errors == "fetch: cannot write to standard output: Broken pipe\n")
        #expect(command.files == ["a", "b"])
    }

    /// Programs that the tests start don't inherit the action of SIGPIPE from the tests' process.
    @Test func programsStartWithSIGPIPE() async throws {
        let earlier = signal(SIGPIPE, SIG_IGN)
        let process = try await WatchedProcess.run("/bin/sh", ["-c", "kill -PIPE $$; echo ignored"])
        signal(SIGPIPE, earlier)
        #expect(process.end == .killed(signal: SIGPIPE))
        #expect(process.output == "")
    }

    /// The reader closes the pipe, as in `fetch … | head -1`.
    @Test func aClosedOutputEndsTheProgram() async throws {
        let command = try FetchCommand()
        command.server.on("/a", .text("a"))
        command.server.on("/b", .generated(size: 100_000).cut(.stall, after: 50_000))
        command.server.on("/c", .text("c").delayed(by: .milliseconds(100)))
        let process = try await command.run(
            shell: "{ \"$@\"; echo $? >status; } | true; cat status; rm status", command.url("/a"), command.url("/b"),
            command.url("/c"))
        #expect(process.output == "\(128 + SIGPIPE)\n")
        #expect(command.files.filter { !["a", "c"].contains($0) } == [])
    }

    /// The reader stops reading, as in `fetch -o- … | less`, which waits for a key.
    @Test func aStalledReaderDoesNotDelayASignal() async throws {
        let command = try FetchCommand()
        let fifo = command.directory.appending(path: "fifo").path
        mkfifo(fifo, 0o600)
        let reader = open(fifo, O_RDWR)
        defer { close(reader) }
        command.server.on("/a", .generated(size: 1_000_000))
        let process = try await command.run(
            shell: "exec \"$@\" >fifo", arguments: ["-o-", command.url("/a")]
        ) { pid in
            let isFull = WatchedProcess.wait {
                var query = pollfd(fd: reader, events: Int16(POLLOUT), revents: 0)
                return poll(&query, 1, 0) == 0
            }
            if isFull { kill(pid, SIGINT) }
        }
        #expect(process.end == .killed(signal: SIGINT))
        #expect(process.errors == "")
        #expect(command.files == ["fifo"])
    }
}
