import Foundation
import LoopbackServer
import TestSupport
import Testing

/// The program in a terminal of its own, which `script` makes.
@Suite(
    .serialized, .timeLimit(.minutes(10)), .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/script"))
)
struct TerminalTests {
    /// What stands on the screen after all that was written: it knows what the indicator uses.
    struct Screen {
        var lines: [String] = []

        init(_ written: String) {
            var line: [Character] = []
            var column = 0
            var rest = Array(written.unicodeScalars)[...]
            while let scalar = rest.popFirst() {
                switch scalar {
                case "\r": column = 0
                case "\n":
                    lines.append(String(line))
                    line = []
                    column = 0
                case "\u{1B}":
                    let sequence = rest.prefix { !("A"..."z").contains($0) || $0 == "[" }
                    rest.removeFirst(sequence.count)
                    if rest.popFirst() == "K" { line.removeLast(line.count - column) }
                default:
                    if column < line.count { line[column] = Character(scalar) } else { line.append(Character(scalar)) }
                    column += 1
                }
            }
            if !line.isEmpty { lines.append(String(line)) }
        }
    }

    private let environment = ["TERM": "xterm", "CI": "", "TF_BUILD": "", "ACCESSIBLE": ""]

    private func run(
        _ command: FetchCommand, _ words: [String], meanwhile: @escaping @Sendable (Int32) async -> Void = { _ in }
    ) async throws -> WatchedProcess {
        let line = ([WatchedProcess.url(of: "fetch").path] + words).map { "'\($0)'" }.joined(separator: " ")
        return try await WatchedProcess.run(
            "/usr/bin/script", ["-qec", "unset CI TF_BUILD; echo $$ >pid; exec " + line, "/dev/null"],
            environment: environment,
            in: command.directory, meanwhile: meanwhile)
    }

    @Test func theIndicatorIsOnAndGoes() async throws {
        let command = try FetchCommand()
        command.server.on("/a", .text("a"))
        command.server.on("/b", .generated(size: 50_000).dripping(5_000, every: .milliseconds(60)))
        command.server.on("/c", .status(404).delayed(by: .milliseconds(300)))
        let process = try await run(command, ["/a", "/b", "/c"].map(command.url))
        #expect(process.end == .exited(1))
        #expect(process.output.contains(/\d downloads? in flight, \d of 3 done/))
        // The order is the machine's; what is on the screen is not.
        let screen = Screen(process.output).lines
        try #require(screen.count == 4, "\(screen)")
        let lines = screen.dropLast()
        #expect(lines.count { $0.hasPrefix("200") && $0.hasSuffix("  a") } == 1)
        #expect(lines.count { $0.hasPrefix("200") && $0.hasSuffix("  b") } == 1)
        #expect(lines.contains("fetch: \(command.url("/c")): 404 Not Found"))
        #expect(screen[3].hasPrefix("2 files, "))
    }

    @Test func theIndicatorIsOffWhereItIsNotWanted() async throws {
        let command = try FetchCommand()
        command.server.on("/b", .generated(size: 50_000).dripping(5_000, every: .milliseconds(40)))
        let process = try await run(command, ["--indicator=never", command.url("/b")])
        #expect(process.end == .exited(0))
        #expect(!process.output.contains("\u{1B}"))
        #expect(!process.output.contains("flight"))
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func aSignalLeavesACleanLine(signal: Int32) async throws {
        let command = try FetchCommand()
        command.server.on("/a", .text("a").delayed(by: .seconds(1)))
        command.server.on("/b", .generated(size: 100_000).cut(.stall, after: 50_000))
        let process = try await run(command, ["/a", "/b"].map(command.url)) { _ in
            // Once `a` is complete, the indicator has been on for a while.
            guard WatchedProcess.wait(until: { command.files.contains("a") }) else { return }
            let pid = command.content("pid").flatMap { Int32(String(decoding: $0, as: UTF8.self).dropLast()) }
            if let pid { kill(pid, signal) }
        }
        #expect(process.end == .exited(128 + signal))
        #expect(process.output.contains(" in flight"))
        let screen = Screen(process.output).lines
        #expect(screen.count <= 1 && screen.allSatisfy { $0.hasSuffix("  a") }, "\(screen)")
        #expect(command.files == ["a", "pid"])
    }

    @Test func aReaderThatGoesLeavesACleanLine() async throws {
        let command = try FetchCommand()
        command.server.on("/a", .text("a").delayed(by: .seconds(1)))
        command.server.on("/b", .generated(size: 100_000).cut(.stall, after: 50_000))
        let fetch = WatchedProcess.url(of: "fetch").path
        let process = try await WatchedProcess.run(
            "/usr/bin/script",
            [
                "-qec", "unset CI TF_BUILD; '\(fetch)' '\(command.url("/a"))' '\(command.url("/b"))' | true",
                "/dev/null",
            ],
            environment: environment, in: command.directory)
        #expect(process.output.contains(" in flight"))
        #expect(Screen(process.output).lines == [])
        #expect(command.files == ["a"])
    }
}
