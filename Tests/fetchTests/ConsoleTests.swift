import Foundation
import LoopbackServer
import TestSupport
import Testing

@Suite(
    .serialized, .timeLimit(.minutes(10)),
    .enabled(if: TerminalRun.isPossible, "It needs Linux's program script."))
struct ConsoleTests {
    @Test func theRowIsErasedAtTheEnd() async throws {
        let command = try FetchCommand()
        command.server.on("/b", .generated(size: 50_000).dripping(5_000, every: .milliseconds(200)))
        command.server.on("/c", .status(404).delayed(by: .milliseconds(300)))
        let run = try await TerminalRun(command, ["/b", "/c"].map(command.url))
        #expect(run.end == .exited(1))
        #expect(run.frames.first?.contains(#/^. 0\/2 files +[─╾━]+ +0 %/#) == true, "\(run.frames)")
        let screen = run.screen
        try #require(screen.count == 3, "\(screen)")
        #expect(screen[0].contains(#/^✗ .*: 404 /#) && screen[1].contains(#/^✓ +50 kB +\d\.\d s  b$/#), "\(screen)")
        #expect(screen[2].contains(#/^1 file, .*, 1 failed$/#), "\(screen)")
    }

    @Test func aCompleteFileHasAFullRowForAMoment() async throws {
        let command = try FetchCommand()
        let directory = command.directory
        // The last part of the output may be an incomplete frame.
        let framesAfterQuick: @Sendable (TerminalRun) -> [String] = { run in
            run.output.components(separatedBy: "mquick\r\n").dropFirst()
                .flatMap { $0.components(separatedBy: "\u{1B}[?2026l").dropLast() }.filter { $0.contains(" slow ") }
        }
        let slow = Response.generated(size: 500_000).dripping(1_000, every: .milliseconds(50)) {
            framesAfterQuick(TerminalRun(runningIn: directory)).contains { !$0.contains("quick") }
        }
        command.server.on("/slow", slow)
        command.server.on(
            "/quick", .generated(size: 5_000).dripping(1_000, every: .milliseconds(200)))
        let run = try await TerminalRun(command, ["--progress-rows=2"] + ["/slow", "/quick"].map(command.url))
        #expect(run.end == .exited(0))
        let frames = framesAfterQuick(run)
        #expect(frames.contains { $0.contains(#/ quick .*100 %/#) }, "\(frames)")
        #expect(frames.last?.contains("quick") == false, "\(frames)")
    }

    @Test func aSignalLeavesACleanScreen() async throws {
        let command = try FetchCommand()
        command.server.on("/a", .text("a").delayed(by: .seconds(1)))
        command.server.on("/b", .generated(size: 100_000).cut(.stall, after: 50_000))
        let run = try await TerminalRun(command, ["/a", "/b"].map(command.url)) { pid in
            if WatchedProcess.wait(until: { command.files.contains("a") }) { kill(pid, SIGINT) }
        }
        #expect(run.end == .exited(130) && !run.frames.isEmpty)
        try #require(run.screen.count == 2, "\(run.screen)")
        #expect(run.screen[0].hasSuffix("  a") && run.screen[1].hasSuffix(", 1 interrupted"))
    }

    @Test func aSecondSignalLeavesACleanScreen() async throws {
        for pause in [UInt32(0), 1_000, 5_000, 20_000] {
            let command = try FetchCommand()
            command.server.on("/a", .text("a").delayed(by: .seconds(1)))
            command.server.on("/b", .generated(size: 100_000).cut(.stall, after: 50_000))
            let run = try await TerminalRun(command, ["/a", "/b"].map(command.url)) { pid in
                guard WatchedProcess.wait(until: { command.files.contains("a") }) else { return }
                kill(pid, SIGINT)
                usleep(pause)
                kill(pid, SIGINT)
            }
            #expect(run.end == .exited(130) && !run.frames.isEmpty)
            let screen = run.screen
            #expect(screen.first?.hasSuffix("  a") == true && !screen.contains { $0.contains(" files ") }, "\(screen)")
        }
    }

    @Test func aClosedOutputLeavesACleanScreen() async throws {
        let command = try FetchCommand()
        command.server.on("/a", .text("a").delayed(by: .seconds(1)))
        command.server.on("/b", .generated(size: 100_000).cut(.stall, after: 50_000))
        let run = try await TerminalRun(command, ["/a", "/b"].map(command.url), shell: "\"$@\" | true")
        #expect(!run.frames.isEmpty && run.screen == [], "\(run.screen)")
    }

    @Test func aRowCountsDownWhileAllTransfersWait() async throws {
        let seconds: @Sendable (TerminalRun) -> [Int] = { run in
            run.frames.compactMap {
                $0.wholeMatch(of: /⏸ 2 transfers waiting, next attempt in (\d+) s/).flatMap { Int($0.1) }
            }
        }
        let command = try FetchCommand()
        let directory = command.directory
        for path in ["/a", "/b"] { command.server.on(path, .unavailable(retryAfter: "60")) }
        let run = try await TerminalRun(command, ["/a", "/b"].map(command.url)) { pid in
            let isShown = WatchedProcess.wait { Set(seconds(TerminalRun(runningIn: directory))).count > 2 }
            if isShown { kill(pid, SIGINT) }
        }
        #expect(run.end == .exited(130))
        #expect(seconds(run) == seconds(run).sorted(by: >) && Set(seconds(run)).count > 2, "\(run.frames)")
        #expect(
            run.screen.last == "0 files, 0 bytes, \(run.screen.last?.split(separator: ", ")[2] ?? ""), 2 interrupted")
    }

    @Test(
        .enabled("It needs the right to make a network namespace.") {
            try await WatchedProcess.succeeds("unshare -n true")
        }, arguments: [true, false])
    func aMachineThatIsOffline(waits: Bool) async throws {
        let command = try FetchCommand()
        let directory = command.directory
        let words = (waits ? ["--wait-for-connectivity"] : ["--retries=0"]) + ["http://192.0.2.1/x"]
        let run = try await TerminalRun(command, words, shell: "exec unshare -n \"$@\"") { pid in
            let isShown = WatchedProcess.wait {
                TerminalRun(runningIn: directory).frames.contains { $0.contains("⏸ offline for ") }
            }
            if isShown { kill(pid, SIGINT) }
        }
        #expect(run.end == .exited(waits ? 130 : 1))
        #expect(run.screen.count == 1 && run.screen[0].contains("192.0.2.1"), "\(run.screen)")
        #expect(run.screen[0].contains("waiting for the network") == waits, "\(run.screen)")
    }
}
