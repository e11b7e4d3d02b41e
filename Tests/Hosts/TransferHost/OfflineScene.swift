#if os(Linux)
import Foundation
import LoopbackServer
import NetworkIndicator
import NetworkIndicatorTransfers

/// Runs on the main thread, which enters the namespace before there are others.
@MainActor
func offline() async throws {
    try enterNamespace(0x4000_0000)
    try shell("ip link add cable0 type veth peer name cable1")
    let server = try LoopbackServer(onEveryAddress: true)
    server.on("/", .text("Hello"))
    let url = URL(string: "http://192.0.2.1:\(server.port)/")!
    report("offline", SystemConnectivityMonitor.system.isOffline)
    let wait = Task { await SystemConnectivityMonitor.system.waitForChange() }
    wait.cancel()
    await wait.value
    do {
        _ = try await URLSession.shared.trackedData(from: url, policy: .singleAttempt)
    } catch {
        report("error", error)
    }

    var policy = TrackedRetryPolicy.standard
    policy.clock = LateClock()
    let manager = NetworkIndicatorManager(configuration: .immediate)
    let isWaiting = Signal()
    async let response = URLSession.shared.trackedData(from: url, policy: policy, manager: manager) { event in
        report("event", "\(event)".prefix { $0 != "(" })
        guard case .waitingForConnectivity = event else { return }
        report("tasks while waiting", manager.entryCount)
        isWaiting.send()
    }
    try await isWaiting.wait()
    // Meanwhile, the connectivity monitor finds no route at least once.
    try await Task.sleep(for: .milliseconds(700))
    try shell("ip link set lo up")
    try shell("ip address add 192.0.2.1/24 dev cable0")
    try shell("ip link set cable1 up")
    try shell("ip link set cable0 up")
    try shell("ip route add default dev cable0")
    report("response", String(decoding: try await response.0, as: UTF8.self))
    report("offline", SystemConnectivityMonitor.system.isOffline)
    try shell("ip route delete default")
    report("offline", SystemConnectivityMonitor.system.isOffline)
    try shell("ip route add default dev cable0 table 100")
    try shell("ip rule add from all lookup 100")
    report("offline", SystemConnectivityMonitor.system.isOffline)
}

/// Long sleeps outlast the program, so that only the connectivity monitor can end a wait.
private struct LateClock: Clock {
    var now: ContinuousClock.Instant { .now }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let isLong = now.duration(to: deadline) > .milliseconds(500)
        try await Task.sleep(until: isLong ? deadline + .seconds(1_000) : deadline, clock: .continuous)
    }
}
#endif
