#if os(Linux)
import Foundation
import Glibc
import LoopbackServer
import NetworkIndicator
import NetworkIndicatorURLSession

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A request made in a network namespace without a network, which then gets one.
struct OfflineScene {
    /// Moves the program to a namespace of its own, or ends it with status 77 and the reason.
    ///
    /// To be called before there is a second thread, since it moves only the one that calls it, and those it makes.
    init() {
        guard enterNamespace(0x4000_0000) == 0 else {
            skip("there are no privileges to make a network namespace (\(String(cString: strerror(errno))))")
        }
        do {
            try ip("link", "add", "cable0", "type", "veth", "peer", "name", "cable1")
        } catch {
            skip("there is no pair of network interfaces to be had: \(error)")
        }
    }

    private func skip(_ reason: String) -> Never {
        report("skipped", reason)
        exit(77)
    }

    func run() async throws {
        let server = try LoopbackServer(onEveryAddress: true)
        server.on("/", .text("Hello"))
        let url = URL(string: "http://192.0.2.1:\(server.port)/")!
        report("offline", SystemConnectivityMonitor.system.isOffline)
        do {
            _ = try await URLSession.shared.trackedData(from: url, policy: .never)
        } catch {
            report("error", error)
        }

        var policy = RetryPolicy.standard
        let system = policy.timing
        policy.timing.sleep = { duration in
            // Only the monitor ends the wait: the back-off takes longer than this program lives.
            try await system.sleep(duration >= .seconds(1) ? .seconds(1_000) : duration)
        }
        let manager = NetworkIndicatorManager(configuration: .immediate)
        let waiting = Task {
            try await URLSession.shared.trackedData(from: url, policy: policy, manager: manager) { event in
                report("event", event)
                guard case .waitingForConnectivity = event else { return }
                report("tasks while waiting", manager.activeTaskCount)
                Task.detached {
                    try ip("link", "set", "lo", "up")
                    try ip("address", "add", "192.0.2.1/24", "dev", "cable0")
                    try ip("link", "set", "cable1", "up")
                    // The wait begins at an unknown time after this handler has returned. So the cable is plugged in again
                    // and again until the request arrives.
                    while server.hits("/") == 0 {
                        try ip("link", "set", "cable0", "down")
                        try ip("link", "set", "cable0", "up")
                        try await Task.sleep(for: .milliseconds(200))
                    }
                }
            }
        }
        let (data, _) = try await waiting.value
        report("answer", String(decoding: data, as: UTF8.self))
        // The cable may be out for a moment: the request arrives while it is plugged in again and again.
        while SystemConnectivityMonitor.system.isOffline { try await Task.sleep(for: .milliseconds(20)) }
        report("offline", SystemConnectivityMonitor.system.isOffline)
    }
}

private struct IPFailure: Error {
    let arguments: [String]
}

private func ip(_ arguments: String...) throws {
    guard try spawn("ip", arguments).wait() == 0 else { throw IPFailure(arguments: arguments) }
}
#endif
