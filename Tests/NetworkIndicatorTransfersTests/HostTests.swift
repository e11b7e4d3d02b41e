import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct HostTests {
    /// On Apple's platforms, Foundation ignores `TMPDIR`, so the hosts also count the files of other programs.
    #if os(Linux)
    private static let hasOwnTemporaryDirectory = true
    #else
    private static let hasOwnTemporaryDirectory = false
    #endif

    private func report(_ scene: String, _ options: [String] = []) async throws -> [(key: String, value: String)] {
        let host = try await WatchedProcess.run(
            "TransferHost", [scene] + options, hasOwnTemporaryDirectory: true, limit: .seconds(480))
        try #require(host.end == .exited(0), "\(host)")
        return host.output.split(separator: "\n").map { line in
            let parts = line.split(separator: ":", maxSplits: 1)
            return (String(parts[0]), parts.count > 1 ? String(parts[1].dropFirst()) : "")
        }
    }

    private func numbers(_ scene: String, _ options: String...) async throws -> [String: Int] {
        Dictionary(try await report(scene, options).map { ($0.key, Int($0.value) ?? -1) }) { $1 }
    }

    @Test func theCancelStorm() async throws {
        let rounds = ProcessInfo.processInfo.environment["STORM_ROUNDS"].flatMap { Int($0) } ?? 10
        let values = try await numbers("storm", "\(rounds)")
        let ends = ["whole", "cancelled", "failed"].map { values[$0] ?? 0 }
        #expect(ends.reduce(0, +) == 200 * rounds && !ends.contains(0), "\(values)")
        #expect(values["wrong"] == 0 && values["tasks"] == 0, "\(values)")
        if Self.hasOwnTemporaryDirectory { #expect(values["files"] == 0) }
    }

    @Test func theStormOfFaults() async throws {
        let values = try await numbers("files", "4")
        let (whole, failed) = try (#require(values["whole"]), #require(values["failed"]))
        #expect(whole + failed == 160 && whole > 0, "\(values)")
        for key in ["wrong", "tasks", "leftovers"] { #expect(values[key] == 0, "\(values)") }
        if Self.hasOwnTemporaryDirectory { #expect(values["others"] == 0, "\(values)") }
    }

    @Test func aTimeoutWhileTheThreadPoolIsBlocked() async throws {
        let report = try await report("blocked-pool")
        #expect(report.map(\.key) == ["ended meanwhile", "timeout"])
        #expect(report.allSatisfy { $0.value == "true" })
    }

    @Test func aWorkingDirectoryThatWasRemoved() async throws {
        let report = try await report("removed-directory").map(\.value)
        #expect(report.first?.hasSuffix(": it is not the URL of a file") == true && report.last == "false")
    }

    @Test func aDownloadThatEndsWithoutAFreeDescriptor() async throws {
        #expect(try await report("open-files").map(\.value) == ["300", "whole"])
    }

    #if os(Linux)
    private static let needsNginx: ConditionTrait = .enabled("It needs nginx, openssl and setpriv.") {
        try await WatchedProcess.succeeds("which nginx openssl setpriv")
    }
    private static let needsNamespaces: ConditionTrait = .enabled(
        "It needs the right to make a network and to mount files in a namespace."
    ) {
        let network = "ip link add cable0 type veth peer name cable1 && ip rule add from all lookup 100"
        let mounts = "mount --make-rprivate / && mount --bind /etc/hosts /etc/resolv.conf"
        return try await WatchedProcess.succeeds("unshare -nm sh -c '\(network) && \(mounts)'")
    }

    @Test(needsNginx) func aServerThatSpeaksHTTP2() async throws {
        #expect(try await report("http2").map(\.value) == ["2", "another worker"])
    }

    @Test(needsNginx) func aServerThatSpeaksTLS() async throws {
        // A libcurl of another system may not find this system's authorities.
        let isOfSystem = ProcessInfo.processInfo.environment["LIBCURL_VERSION"] == nil
        #expect(
            try await report("tls").map(\.value) == ["true", "1", "\(isOfSystem)", "-1200, 1", "true", "200"])
    }

    @Test(needsNginx) func aProgramThatExitsDuringTransfers() async throws {
        // The loader also writes lines, about the libcurl of another system.
        let lines = try await report("exits", ["40"])
        #expect(!lines.contains { ["one", "two", "forks", "late"].contains($0.key) }, "\(lines)")
    }

    /// No engine uses libcurl after the beginning of `exit`.
    @Test func aProgramThatExitsBesideASlowDisk() async throws {
        #expect(try await report("exit-beside-slow-disk").map(\.value) == ["0"])
    }

    @Test func aSessionWithoutADescriptorOrAThread() async throws {
        let report = try await report("exhausted-resources")
        let error = "no file descriptor or thread is free; close files, or raise the limits (ulimit -n, -u)"
        #expect(report.map(\.value) == ["Hello", error, "Hello", error, "Hello", #"["Hello"]"#])
    }

    @Test(needsNamespaces) func aNameServerThatNeverAnswers() async throws {
        #expect(try await report("silent-name-server").map(\.value) == ["CancellationError", "true", "40", "Hello"])
    }

    /// A file at the destination, and the part of an earlier download, outlive every failure behind a proxy.
    @Test(needsNginx) func aProxy() async throws {
        var results = Dictionary(try await report("proxy")) { $1 }
        for (reply, start) in [
            "302": "-1008, 1", "401": "-1013, 1", "404": "-1008, 1", "407": "-1013, 1", "503": "-1004, 3", "dead": "",
        ] {
            let reason =
                reply == "dead" ? "(SSL|TLS)" : "the proxy 127.0.0.1:[0-9]+ refused the connection with status \(reply)"
            let result = results.removeValue(forKey: "\(reply) /200") ?? ""
            #expect(
                try Regex("^\(start).*\(reason).*, old, kept$").wholeMatch(in: result) != nil, "\(reply): \(result)")
        }
        let whole = "206, whole, resumable"
        #expect(
            results == [
                "data /401": "401, 4", "data /302": "200, whole", "data /404": "404, 4",
                "plain /200": whole, "chunks /200": whole, "length /200": whole, "length /302": whole,
                "length /nowhere": "error 302, old, kept", "length /204": "error 204, old, kept",
                "length /401": "error 401, old, kept", "length /404": "error 404, old, kept",
                "length /503": "error 503, old, kept",
            ])
    }

    @Test func proxiesThatMakeNoConnection() async throws {
        let report = try await report("proxies")
        let errors = report.map { $0.value.replacing(/127\.0\.0\.1:[0-9]+/, with: "P") }
        try #require(errors.count == 6, "\(report)")
        #expect(
            errors.prefix(3) == [
                "-1003, cannot find the proxy missing.invalid:3128 (after 3 attempts)",
                "-1004, cannot connect to the proxy P (after 3 attempts)",
                "-1004, cannot connect to 127.0.0.1 (after 3 attempts)",
            ])
        for (error, code) in zip(errors.dropFirst(3), ["-1013", "-1008", "-1004"]) {
            #expect(error.hasPrefix("\(code), the proxy P made no connection ("), "\(error)")
            #expect(error.hasSuffix(" (after 3 attempts)") == (code == "-1004"), "\(error)")
        }
    }

    @Test(needsNamespaces)
    func aMachineThatGetsANetwork() async throws {
        let report = try await report("offline")
        #expect(report.filter { $0.key == "offline" }.map(\.value) == ["true", "false", "true", "false"])
        let error = try #require(report.first { $0.key == "error" }?.value)
        #expect(error == "192.0.2.1 is unreachable", "\(error)")
        #expect(report.first { $0.key == "tasks while waiting" }?.value == "0")
        #expect(report.first { $0.key == "response" }?.value == "Hello")
        let events = report.filter { $0.key == "event" }.map(\.value)
        #expect(events == ["started", "waitingForConnectivity", "started", "progress", "finished"])
    }
    #endif
}
