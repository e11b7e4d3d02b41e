import Foundation
import LoopbackServer
import TestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(10)))
struct InterruptionTests {
    @Test(arguments: [SIGINT, SIGTERM, SIGHUP]) func theFirstSignalKeepsParts(signal: Int32) async throws {
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
        #expect(
            first.errors.contains("b: interrupted; kept 80 kB, run fetch again with -c to resume\n"), "\(first.errors)")
        #expect(first.output.contains(#/ a\n1 file, 1 B, [^,]+, 1 interrupted, 1 not begun\n$/#), "\(first.output)")

        let second = try await command.run(["-q", "-c"] + words)
        #expect(second.end == .exited(0) && second.errors == "" && second.output == "")
        #expect(["/a", "/b", "/c"].map(command.server.hits) == [1, 2, 1])
        #expect(command.server.requests("/b").last?.headers["Range"] == "bytes=80000-")
        #expect(command.files == ["a", "b", "c"] && command.holds("b", size: 200_000))
    }

    @Test(arguments: [1, 2]) func aBlockedProgramEnds(signals: Int) async throws {
        let command = try FetchCommand()
        let fifo = command.file("fifo").path
        mkfifo(fifo, 0o600)
        let reader = open(fifo, O_RDWR | O_NONBLOCK)
        defer { close(reader) }
        command.server.on("/a", .silence)
        let process = try await command.run(["--timeline=fifo", command.url("/a")]) { pid in
            guard WatchedProcess.wait(until: { command.server.hits("/a") > 0 }) else { return }
            while write(reader, "full", 4) > 0 {}
            kill(pid, SIGTERM)
            if WatchedProcess.wait(until: { !command.files.contains(".a.part") }), signals == 2 { kill(pid, SIGINT) }
        }
        #expect(process.end == .killed(signal: signals == 2 ? SIGINT : SIGTERM))
    }

    @Test func anIgnoredSignalStaysIgnored() async throws {
        let command = try FetchCommand()
        command.server.on("/a", .text("a").delayed(by: .seconds(1)))
        let signals = "until [ -e .a.part -o -e a ]; do :; done; kill -INT $$; kill -HUP $$"
        let process = try await command.run(shell: "trap '' INT HUP; (\(signals)) & exec \"$@\"", [command.url("/a")])
        #expect(process.end == .exited(0) && command.files == ["a"], "\(process)")
    }

    @Test func theDemonstrationRemovesItsDirectory() async throws {
        let command = try FetchCommand()
        let process = try await command.run(["-q"], environment: ["TMPDIR": command.directory.path]) { pid in
            if WatchedProcess.wait(until: { command.files.contains { $0.hasSuffix(".part") } }) { kill(pid, SIGINT) }
        }
        #expect(process.end == .killed(signal: SIGINT) && process.errors == "" && command.files == [])
    }
}
