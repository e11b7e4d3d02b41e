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

    @Test func cancelledUploadsOfAFile() async throws {
        #expect(try await report("cancelled-uploads").isEmpty)
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

    @Test func redirectsWithoutAnEnd() async throws {
        #expect(try await numbers("endless-redirects") == ["followed": 10])
    }

    @Test func aWorkingDirectoryThatWasRemoved() async throws {
        #expect(try await report("removed-directory").map(\.value) == ["the directory is missing", "false"])
    }

    @Test func aDownloadThatEndsWithoutAFreeDescriptor() async throws {
        #expect(try await report("open-files").map(\.value) == ["300", "whole"])
    }

    @Test func aDiskThatBecomesFull() async throws {
        #expect(try await report("full-disk").map(\.value) == ["write EFBIG", "false", "206", "3000000"])
    }

    #if os(Linux)
    private static let needsNginx: ConditionTrait = .enabled(
        "It needs nginx, openssl, setpriv, and the right to mount files in a namespace."
    ) {
        let mounts = "mount --make-rprivate / && mount --bind /etc/hosts /etc/ssl/certs/ca-certificates.crt"
        return try await WatchedProcess.succeeds("which nginx openssl setpriv && unshare -m sh -c '\(mounts)'")
    }

    @Test(needsNginx) func aServerThatSpeaksHTTP2() async throws {
        #expect(try await report("http2").map(\.value) == ["2", "160", "another worker"])
    }

    /// A file at the destination, and the part of an earlier download, outlive every failure behind a proxy.
    @Test(needsNginx) func aProxy() async throws {
        var results = Dictionary(try await report("proxy")) { $1 }
        for reply in ["plain", "old", "length", "no length", "chunks"] {
            for path in ["/200", "/302"] {
                #expect(results.removeValue(forKey: "\(reply) \(path)") == "200, whole, receiving, resumable")
                #expect(results.removeValue(forKey: "\(reply) \(path) part") == "206, whole, receiving, resumable")
            }
            for (path, status) in [("/nowhere", 302), ("/204", 204), ("/401", 401), ("/404", 404), ("/503", 503)] {
                #expect(results.removeValue(forKey: "\(reply) \(path)") == "error \(status), old")
                #expect(results.removeValue(forKey: "\(reply) \(path) part") == "error \(status), old, kept")
            }
        }
        for reply in ["302", "long 302", "401", "404", "407", "503", "dead"] {
            let status = reply.split(separator: " ").last!
            let text =
                reply == "dead" ? "SSL" : "the proxy 127.0.0.1:[0-9]+ refused the connection with status \(status)"
            for (suffix, end) in [("", ", old"), (" part", ", old, kept")] {
                let result = results.removeValue(forKey: "\(reply) /200\(suffix)") ?? ""
                #expect(
                    try Regex("\(text).*\(end)$").firstMatch(in: result) != nil,
                    "\(reply): \(result)")
            }
        }
        #expect(
            results == [
                "data /401": "200, whole", "data /302": "200, whole", "data /404": "404, 4", "data /204": "204, 0",
                "data /200": "200, whole", "data 302": "-1008, 1", "data long 302": "-1008, 1", "data 401": "-1013, 1",
                "data 404": "-1008, 1", "data 407": "-1013, 1", "data 503": "-1004, 3",
            ])
    }

    @Test(
        .enabled("It needs the right to make a network in a namespace.") {
            let link = "ip link add cable0 type veth peer name cable1"
            return try await WatchedProcess.succeeds("unshare -n sh -c '\(link) && ip rule add from all lookup 100'")
        })
    func aMachineThatGetsANetwork() async throws {
        let report = try await report("offline")
        #expect(report.filter { $0.key == "offline" }.map(\.value) == ["true", "false", "true", "false"])
        let error = try #require(report.first { $0.key == "error" }?.value)
        #expect(error == "192.0.2.1 is unreachable", "\(error)")
        #expect(report.first { $0.key == "tasks while waiting" }?.value == "0")
        #expect(report.first { $0.key == "response" }?.value == "Hello")
        let events = report.filter { $0.key == "event" }.map(\.value)
        let wait = "waiting for the network: 192.0.2.1 is unreachable"
        #expect(
            events.map { $0.hasPrefix(wait) ? wait : $0 } == ["attempt 1", wait, "attempt 2", "5 of 5 B", "finished"])
    }
    #endif
}
