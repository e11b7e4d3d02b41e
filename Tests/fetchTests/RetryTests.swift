import Foundation
import LoopbackServer
import TestSupport
import Testing

/// Runs the built program against failing servers: every file is complete, and the indicator follows the attempts.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct RetryTests {
    private func trace(_ command: FetchCommand) throws -> Trace {
        try Trace(contentsOf: command.directory.appending(path: "trace"))
    }

    @Test func everySecondConnectionIsReset() async throws {
        let command = try FetchCommand()
        let paths = (1...6).map { "/file-\($0)" }
        for (seed, path) in paths.enumerated() {
            let response = Response.generated(size: 200_000, seed: UInt64(seed)).closing()
            command.server.on(path) { $0.hit % 2 == 1 ? response.cut(.reset, after: 70_000) : response }
        }
        let process = try await command.run(paths.map(command.url))
        #expect(process.end == .exited(0), "\(process)")
        #expect(command.files == paths.map { String($0.dropFirst()) })
        for (seed, path) in paths.enumerated() {
            #expect(command.holds(String(path.dropFirst()), size: 200_000, seed: UInt64(seed)))
            #expect(command.server.hits(path) == 2)
        }
        let lines = process.errors.split(separator: "\n")
        #expect(lines.count == 6)
        #expect(
            lines.allSatisfy {
                $0.contains(/: retrying in 0\.\d s \(2 of 3\): the connection was lost after \d+\.\d kB of 200\.0 kB$/)
            }, "\(process.errors)")
    }

    @Test func aFileWithAStrongTagContinues() async throws {
        let command = try FetchCommand()
        let response = Response.generated(size: 200_000).ranged(entityTag: "\"1\"")
        command.server.on("/x") { $0.hit == 1 ? response.cut(.close, after: 100_000) : response }
        let process = try await command.run(command.url("/x"))
        #expect(process.end == .exited(0))
        #expect(process.output.hasPrefix("200  200.0 kB "))
        #expect(process.errors.contains("(2 of 3): \(closedInsideBody) after 100.0 kB of 200.0 kB\n"))
        #expect(command.server.requests("/x").map { $0.headers["Range"] } == [nil, "bytes=100000-"])
        #expect(command.files == ["x"] && command.holds("x", size: 200_000))
    }

    /// A 503 between two parts doesn't change the file that is continued.
    @Test func aResponseBetweenAttemptsIsNotTheFile() async throws {
        let command = try FetchCommand()
        let file = Response.generated(size: 300_000).ranged(entityTag: "\"v1\"")
        command.server.on("/x", file.cut(.close, after: 100_000), .status(503), file)
        let process = try await command.run(command.url("/x"))
        #expect(process.end == .exited(0))
        #expect(process.output.hasPrefix("200  300.0 kB "))
        #expect(command.holds("x", size: 300_000))
    }

    /// The body of a retried status isn't used. The program closes the connection, and writes no byte of the body to
    /// the disk.
    @Test func anEndlessErrorIsRetried() async throws {
        let command = try FetchCommand()
        let endless = Response(status: 503, headers: ["Retry-After": "0"], body: .generated(size: 1 << 40, seed: 1))
        command.server.on("/x", endless, endless, .generated(size: 200_000))
        let process = try await command.run(command.url("/x"))
        #expect(process.end == .exited(0))
        #expect(process.errors.lowercased().contains("(3 of 3): 503 service unavailable\n"))
        #expect(command.files == ["x"] && command.holds("x", size: 200_000))
    }

    /// The server begins to listen when three attempts have failed.
    @Test func aServerThatIsDownAtFirst() async throws {
        let command = try FetchCommand()
        let server = try LoopbackServer(isListening: false)
        defer { server.stop() }
        server.on("/x", .generated(size: 200_000))
        let process = try await command.run("--retries=20", "--timeline=trace", server.url("/x").absoluteString) { _ in
            _ = WatchedProcess.wait { command.content("trace")?.contains("(4 of 21)") == true }
            try? server.startListening()
        }
        #expect(process.end == .exited(0))
        #expect(process.errors.contains("(4 of 21): cannot connect to 127.0.0.1\n"))
        #expect(command.files == ["trace", "x"] && command.holds("x", size: 200_000))
    }

    /// Each response takes long enough for the indicator to go on, and the wait long enough for it to go off.
    @Test func theIndicatorIsOffWhileItWaits() async throws {
        let command = try FetchCommand()
        command.server.on("/x") { request in
            let response = request.hit == 1 ? Response.unavailable(retryAfter: "2") : .generated(size: 200_000)
            return response.delayed(by: .milliseconds(400))
        }
        let process = try await command.run("--timeline", "trace", command.url("/x"))
        #expect(process.end == .exited(0))
        #expect(
            process.errors.lowercased()
                == "fetch: \(command.url("/x")): retrying in 2.0 s (2 of 3): 503 service unavailable\n")
        #expect(command.holds("x", size: 200_000))
        let trace = try trace(command)
        let label = "x (\(command.url("/x")))"
        #expect(trace.process == "fetch" && trace.rows.count == 2)
        let (slices, on) = (trace.slices(of: label), trace.slices(of: "indicator"))
        try #require(slices.map(\.name) == [label, "retrying in 2.0 s (2 of 3): 503 Service Unavailable", label])
        try #require(on.count == 2 && on.allSatisfy { $0.end != nil })
        // The indicator goes on during the first attempt, off during the wait, and on again during the second attempt.
        let wait = slices[1]
        let order = [slices[0].begin, on[0].begin, wait.begin, on[0].end!, wait.end!, on[1].begin, slices[2].end!]
        #expect(order == order.sorted())
    }

    @Test func lastingFailuresAreErrors() async throws {
        let command = try FetchCommand()
        // On a reused connection, libcurl retries by itself.
        command.server.on("/503", .status(503).closing())
        command.server.on("/404", .status(404).closing())
        command.server.on("/close", .close)
        let paths = ["/503", "/404", "/close"]
        let process = try await command.run(["--quiet", "--retries", "1"] + paths.map(command.url))
        #expect(process.end == .exited(1))
        #expect(
            Set(process.errors.lowercased().split(separator: "\n").map(String.init)) == [
                "fetch: \(command.url("/503")): 503 service unavailable (after 2 attempts)",
                "fetch: \(command.url("/404")): 404 not found",
                "fetch: \(command.url("/close")): \(closedBeforeResponse) (after 2 attempts)",
            ])
        #expect(paths.map(command.server.hits) == [2, 1, 2])
        #expect(command.files == [])
    }

    /// The last error counts the bytes of the continued part.
    @Test func theLastErrorHasTheProgress() async throws {
        let command = try FetchCommand()
        let file = Response.generated(size: 300_000).ranged(entityTag: "\"1\"")
        command.server.on("/fin", file.cut(.close, after: 100_000), file.cut(.close, after: 50_000))
        command.server.on("/rst", file.cut(.close, after: 100_000), .reset)
        let paths = ["/fin", "/rst"]
        let process = try await command.run(["-q", "-j1", "--retries=1"] + paths.map(command.url))
        #expect(process.end == .exited(1))
        #expect(
            process.errors.split(separator: "\n") == [
                "fetch: \(command.url("/fin")): \(closedInsideBody) after 150.0 kB of 300.0 kB (after 2 attempts)"
                    + "; kept 150.0 kB, continue with -c",
                "fetch: \(command.url("/rst")): the connection was lost before a response (after 2 attempts)"
                    + "; kept 100.0 kB, continue with -c",
            ])
        #expect(command.files == [".fin.part", ".fin.part.info", ".rst.part", ".rst.part.info"])
    }

    @Test func aServerThatDoesNotContinue() async throws {
        let command = try FetchCommand()
        let file = Response.generated(size: 300_000).ranged(entityTag: "\"1\"")
        command.server.on("/x", file.cut(.close, after: 100_000), .status(416), file)
        let process = try await command.run(command.url("/x"))
        #expect(process.end == .exited(0))
        #expect(process.errors.split(separator: "\n").count == 1 && command.server.hits("/x") == 3)
        #expect(command.holds("x", size: 300_000))
    }

    @Test func zeroRetriesMakeOneAttempt() async throws {
        let command = try FetchCommand()
        command.server.on("/x", .status(503))
        let process = try await command.run("--retries=0", command.url("/x"))
        #expect(process.end == .exited(1))
        #expect(process.errors.lowercased() == "fetch: \(command.url("/x")): 503 service unavailable\n")
        #expect(command.server.hits("/x") == 1)
    }

    /// Two downloads of one URL have a row each.
    @Test func theTimelineHasARowForEachDownload() async throws {
        let command = try FetchCommand()
        command.server.on("/x", .text("x").delayed(by: .milliseconds(200)))
        let process = try await command.run("-j1", "--timeline=trace", command.url("/x"), command.url("/x"))
        #expect(process.end == .exited(0))
        let trace = try trace(command)
        let url = command.url("/x")
        #expect(trace.rows.values.map(\.name).sorted() == ["indicator", "x (\(url))", "x-2 (\(url))"])
        #expect(trace.rows.values.allSatisfy { $0.slices.count == 1 && $0.slices[0].end != nil })
    }

    @Test func theTimelineIsCompleteAfterAnInterrupt() async throws {
        let command = try FetchCommand()
        command.server.on("/a", .generated(size: 100_000).cut(.stall, after: 50_000))
        let process = try await command.run("--timeline=trace", command.url("/a")) { pid in
            let isTime = WatchedProcess.wait { command.content("trace")?.contains("\"on\"") == true }
            if isTime { kill(pid, SIGINT) }
        }
        #expect(process.end == .killed(signal: SIGINT))
        let trace = try trace(command)
        #expect(trace.rows.count == 2)
        #expect(trace.rows.values.allSatisfy { $0.slices.count == 1 && $0.slices[0].end != nil }, "\(trace)")
        #expect(command.files == ["trace"])
    }

    @Test func aTimelineThatCannotBeWritten() async throws {
        let command = try FetchCommand()
        command.server.on("/x", .text("x"))
        let process = try await command.run("--timeline=no/trace", command.url("/x"))
        #expect(process.end == .exited(1))
        #expect(process.errors.hasPrefix("fetch: cannot write the timeline to "))
        #expect(process.errors.contains("no/trace: "))
        #expect(command.server.hits("/x") == 0 && command.files == [])
    }

    #if os(Linux)
    /// Runs in a network namespace without interfaces.
    @Test(
        .enabled("It needs the right to make a network namespace.") {
            try await WatchedProcess.succeeds("unshare -n true")
        }, arguments: [true, false])
    func aMachineThatIsOffline(waits: Bool) async throws {
        let command = try FetchCommand()
        let options = waits ? ["--wait-for-connectivity"] : ["--retries=0"]
        let process = try await command.run(
            shell: "fetch=$1; shift; exec unshare -n \"$fetch\" \"$@\"",
            arguments: options + ["--timeline=trace", "http://192.0.2.1/x"]
        ) { pid in
            if WatchedProcess.wait(until: { command.content("trace")?.waits ?? 0 > 1 }) { kill(pid, SIGTERM) }
        }
        #expect(process.errors.hasPrefix("fetch: http://192.0.2.1/x: " + (waits ? "waiting for the network: " : "")))
        #expect(process.errors.split(separator: "\n").count == (waits ? 2 : 1))
        #expect(process.end == (waits ? .killed(signal: SIGTERM) : .exited(1)))
        #expect(command.files == ["trace"])
    }
    #endif
}

extension Trace {
    /// The slices of the only row of this name.
    fileprivate func slices(of name: String) -> [Slice] {
        let rows = rows(named: name)
        return rows.count == 1 ? rows[0].slices : []
    }
}

extension Data {
    fileprivate func contains(_ text: String) -> Bool { range(of: Data(text.utf8)) != nil }

    /// The number of waits for the network in a trace. The program records a wait before it prints its line.
    fileprivate var waits: Int { String(decoding: self, as: UTF8.self).split(separator: "waiting for").count - 1 }
}
