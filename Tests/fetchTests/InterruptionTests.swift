import Foundation
import LoopbackServer
import NetworkIndicator
import TestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(10)))
struct InterruptionTests {
    @Test(arguments: [SIGINT, SIGTERM]) func theFirstSignalKeepsParts(signal: Int32) async throws {
        let command = try FetchCommand()
        let response = Response.generated(size: 200_000).ranged(entityTag: "\"1\"")
        command.server.on("/a", .text("a"))
        command.server.on("/b", response.cut(.stall, after: 80_000), response)
        command.server.on("/c", .text("c"))
        let words = ["-j", "1"] + ["/a", "/b", "/c"].map(command.url)
        let first = try await command.run(words) { pid in
            if WatchedProcess.wait(until: { command.content(".b.part")?.count == 80_000 }) { kill(pid, signal) }
        }
        #expect(first.end == .killed(signal: signal))
        let errors = first.errors.split(separator: "\n")
        #expect(errors.count == 2 && errors[0].hasSuffix(" 80 kB of b") && errors[1].contains(" -c "), "\(errors)")
        #expect(first.output.contains(#/ a\n1 file, 1 byte, [^,]+, 1 interrupted, 1 not begun\n$/#), "\(first.output)")

        let second = try await command.run(["-c"] + words)
        #expect(second.end == .exited(0) && second.errors == "")
        #expect(second.output.contains(#/ exists  a\n/#) && second.output.contains(#/\n2 files, .*, 1 skipped\n$/#))
        #expect(["/a", "/b", "/c"].map(command.server.hits) == [1, 2, 1])
        #expect(command.server.requests("/b").last?.headers["Range"] == "bytes=80000-")
        #expect(command.files == ["a", "b", "c"] && command.holds("b", size: 200_000))
    }

    /// The first signal makes the program report the kept part, and the full pipe blocks this report.
    @Test func theSecondSignalEndsTheProgramAtOnce() async throws {
        let command = try FetchCommand()
        let fifo = command.directory.appending(path: "fifo").path
        mkfifo(fifo, 0o600)
        let reader = open(fifo, O_RDWR | O_NONBLOCK)
        defer { close(reader) }
        while write(reader, "full", 4) > 0 {}
        let response = Response.generated(size: 100_000).ranged(entityTag: "\"1\"")
        command.server.on("/a", response.cut(.stall, after: 50_000))
        let process = try await command.run(shell: "exec \"$@\" 2>fifo", command.url("/a")) { pid in
            guard WatchedProcess.wait(until: { command.content(".a.part")?.count == 50_000 }) else { return }
            kill(pid, SIGINT)
            if WatchedProcess.wait(until: { command.files.contains(".a.part.info") }) { kill(pid, SIGTERM) }
        }
        #expect(process.end == .killed(signal: SIGTERM))
    }

    @Test(arguments: [true, false]) func aSignalMayBeIgnored(isIgnored: Bool) async throws {
        let command = try FetchCommand()
        let isKilled = Lock(false)
        let slow = Response.generated(size: 2_000).dripping(1, every: .milliseconds(20)) { isKilled.withLock { $0 } }
        command.server.on("/a", slow)
        let trap = isIgnored ? "trap '' HUP; " : ""
        let process = try await command.run(shell: trap + "exec \"$@\"", command.url("/a")) { pid in
            if WatchedProcess.wait(until: { command.server.hits("/a") > 0 }) { kill(pid, SIGHUP) }
            if isIgnored { isKilled.withLock { $0 = true } }
        }
        #expect(process.end == (isIgnored ? .exited(0) : .killed(signal: SIGHUP)))
        #expect(command.files == (isIgnored ? ["a"] : []))
    }

    @Test func anEarlySignalLeavesNothing() async throws {
        for pause in [UInt32(0), 10_000, 50_000] {
            let command = try FetchCommand()
            command.server.on("/a", .generated(size: 100_000).delayed(by: .seconds(60)))
            let words = ["-o", "new/directory/"] + ["/a", "/b"].map(command.url)
            let process = try await command.run(words) { pid in
                guard WatchedProcess.wait(until: { command.files.contains("new/directory") }) else { return }
                usleep(pause)
                kill(pid, SIGINT)
            }
            #expect(process.end == .killed(signal: SIGINT) && command.files == [], "\(process) \(command.files)")
        }
    }

    @Test(arguments: [1, 2]) func theDemonstrationRemovesItsDirectory(signals: Int) async throws {
        let command = try FetchCommand()
        let process = try await command.run([], environment: ["TMPDIR": command.directory.path]) { pid in
            guard WatchedProcess.wait(until: { command.files.contains { $0.hasSuffix(".part") } }) else { return }
            for _ in 1...signals { kill(pid, SIGINT) }
        }
        #expect(process.end == .killed(signal: SIGINT) && process.errors == "" && !process.output.contains("Next"))
        #expect(command.files == [])
    }

    @Test func aClosedOutputEndsTheProgram() async throws {
        let command = try FetchCommand()
        command.server.on("/a", .text("a"))
        command.server.on("/b", .generated(size: 100_000).cut(.stall, after: 50_000))
        let process = try await command.run(
            shell: "{ \"$@\"; echo $? >status; } | true; cat status; rm status", command.url("/a"), command.url("/b"))
        #expect(process.output == "\(128 + SIGPIPE)\n" && process.errors == "")
        #expect(command.files == ["a"])
    }
}
