import Foundation
import TestSupport
import Testing

/// Code that may hang, crash, or change the machine's network. It runs in a subprocess, under a watchdog.
@Suite(.timeLimit(.minutes(10)))
struct HostTests {
    /// On Apple's systems Foundation ignores `TMPDIR`, and the hosts count the files of other programs, too.
    #if os(Linux)
    private static let hasOwnTemporaryDirectory = true
    #else
    private static let hasOwnTemporaryDirectory = false
    #endif

    /// The lines of a host's report: a key, a colon, a value.
    private func report(_ process: WatchedProcess) -> [(key: String, value: String)] {
        process.output.split(separator: "\n").map { line in
            let parts = line.split(separator: ":", maxSplits: 1)
            return (String(parts[0]), parts.count > 1 ? String(parts[1].dropFirst()) : "")
        }
    }

    /// `STORM_ROUNDS=…` sets the number of rounds.
    @Test(arguments: [[], ["tracked"]])
    func theCancelStorm(options: [String]) async throws {
        let rounds = ProcessInfo.processInfo.environment["STORM_ROUNDS"].flatMap { Int($0) } ?? 10
        let host = try await WatchedProcess.run(
            "TransferHost", ["storm", "\(rounds)"] + options, hasOwnTemporaryDirectory: true,
            limit: .seconds(480))
        try #require(host.end == .exited(0), "\(host)")
        let values = Dictionary(report(host).map { ($0.key, Int($0.value) ?? -1) }) { $1 }
        let whole = try #require(values["whole"])
        let cancelled = try #require(values["cancelled"])
        let failed = try #require(values["failed"])
        #expect(whole + cancelled + failed == 200 * rounds)
        // Each kind must occur, or the test has not tested it.
        #expect(whole > 0 && cancelled > 0 && failed > 0, "\(host.output)")
        #expect(values["wrong"] == 0)
        #expect(values["tasks"] == 0)
        if Self.hasOwnTemporaryDirectory { #expect(values["files"] == 0) }
    }

    /// URLSession on Linux traps if a task fails before its cancellation is complete. With a cache, this happened in each of
    /// eight runs.
    @Test func cancellationsOfRequestsThatFail() async throws {
        let host = try await WatchedProcess.run("TransferHost", ["early-cancellations"], limit: .seconds(480))
        #expect(host.end == .exited(0), "\(host)")
        #expect(host.output == "ends: [\"cancelled\", \"refused\"]\n")
    }

    /// When each cancellation had its turn before the next delegate call, requests of 20 ms took 17 s.
    @Test func requestsBesideCancellations() async throws {
        let host = try await WatchedProcess.run("TransferHost", ["cancellation-storm"], limit: .seconds(480))
        try #require(host.end == .exited(0), "\(host)")
        let values = Dictionary(report(host).map { ($0.key, Int($0.value) ?? -1) }) { $1 }
        #expect(values["failed"] == 0, "\(host.output)")
        let (calm, stormy) = try (#require(values["calm"]), #require(values["stormy"]))
        #expect(stormy < 40 * calm, "\(host.output)")
    }

    /// If URLSession on Linux reads the file itself, some of these cancellations trap. This happened in each of six runs.
    @Test func cancelledUploadsOfAFile() async throws {
        let host = try await WatchedProcess.run(
            "TransferHost", ["cancelled-uploads"], hasOwnTemporaryDirectory: true, limit: .seconds(480))
        #expect(host.end == .exited(0), "\(host)")
        #expect(host.output == "cancelled: 60\n")
    }

    @Test func theStormOfFaults() async throws {
        let host = try await WatchedProcess.run(
            "TransferHost", ["files", "4"], hasOwnTemporaryDirectory: true, limit: .seconds(480))
        try #require(host.end == .exited(0), "\(host)")
        let values = Dictionary(report(host).map { ($0.key, Int($0.value) ?? -1) }) { $1 }
        let whole = try #require(values["whole"])
        let failed = try #require(values["failed"])
        #expect(whole + failed == 160 && whole > 0, "\(host.output)")
        for key in ["wrong", "tasks", "leftovers"] { #expect(values[key] == 0, "\(host.output)") }
        if Self.hasOwnTemporaryDirectory { #expect(values["others"] == 0, "\(host.output)") }
    }

    @Test func aTimeoutWhileTheThreadPoolIsBlocked() async throws {
        let host = try await WatchedProcess.run("TransferHost", ["blocked-pool"])
        #expect(host.end == .exited(0), "\(host)")
        #expect(host.output == "blocked: true\nended meanwhile: true\ntimeout: true\n")
    }

    /// Foundation resolves relative paths against the root directory then.
    @Test func aWorkingDirectoryThatWasRemoved() async throws {
        let host = try await WatchedProcess.run(
            "TransferHost", ["removed-directory"], hasOwnTemporaryDirectory: true)
        #expect(host.end == .exited(0), "\(host)")
        #expect(host.output == "error: the directory is missing\nin the root directory: false\n")
    }

    #if os(Linux)
    @Test(
        .enabled("It needs nginx, openssl, setpriv, and the right to mount files in a namespace.") {
            try await WatchedProcess.succeeds("which nginx openssl setpriv && unshare -m true")
        })
    func aServerThatSpeaksHTTP2() async throws {
        let host = try await WatchedProcess.run(
            "TransferHost", ["http2"], hasOwnTemporaryDirectory: true)
        try #require(host.end == .exited(0), "\(host)")
        #expect(host.output == "version: 2\nredirected: 160\nafter silence: another worker\n")
    }

    /// Copying a session's configuration on several threads at once would corrupt memory, in few of many processes.
    @Test func firstRequestsAtOnce() async throws {
        for _ in 1...30 {
            let host = try await WatchedProcess.run("TransferHost", ["first-requests"])
            try #require(host.end == .exited(0), "\(host)")
            #expect(host.output == "with headers: 64\nafter: 1\n")
        }
    }

    @Test func aHandlerThatIsSlowerThanTheTimeout() async throws {
        let host = try await WatchedProcess.run("TransferHost", ["slow-handler"])
        try #require(host.end == .exited(0), "\(host)")
        #expect(host.output == "large: 20000000\nsmall: 5\n")
    }

    /// URLSession traps if the decision about a redirect comes after its timeout.
    @Test func aResponseThatComesAfterTheTimeout() async throws {
        let host = try await WatchedProcess.run("TransferHost", ["late-response"])
        try #require(host.end == .exited(0), "\(host)")
        #expect(host.output == "end: a file\ndecisions: 1\nthen: a file\n")
    }

    @Test(
        .enabled("It needs the right to make a network in a namespace.") {
            try await WatchedProcess.succeeds("unshare -n ip link add cable0 type veth peer name cable1")
        })
    func aMachineThatGetsANetwork() async throws {
        let host = try await WatchedProcess.run("TransferHost", ["offline"])
        try #require(host.end == .exited(0), "\(host)")
        let report = report(host)
        #expect(report.filter { $0.key == "offline" }.map(\.value) == ["true", "false"])
        // The error must name an unreachable network, not a connection that ended.
        let error = try #require(report.first { $0.key == "error" }?.value)
        #expect(error.contains(": 192.0.2.1 is unreachable ("), "\(error)")
        #expect(report.first { $0.key == "tasks while waiting" }?.value == "0")
        #expect(report.first { $0.key == "response" }?.value == "Hello")
        let events = report.filter { $0.key == "event" }.map { String($0.value.prefix { $0 != "(" }) }
        #expect(events.filter { $0 != "progress" } == ["started", "waitingForConnectivity", "started", "finished"])
    }
    #endif
}
