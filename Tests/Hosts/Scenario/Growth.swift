import Foundation
import NetworkIndicator
import TestSupport

/// Measures the memory that a load leaves behind.
struct Growth {
    let note: (String) -> Void

    func run() {
        let turns = Screen(.immediate)
        measure("turns", 5_000) { turns.show() }
        measure("cycles", 1_000, Screen(delays).show)
        let objects = Screen(delays)
        measure("objects", 100, objects.showObject)
        measure("managers", 1_000) { Screen(delays).show() }
        measure("everything", 2_000, Screen(.immediate).useEverything)
        exit(0)
    }

    private let delays: NetworkIndicatorManager.Configuration = {
        var configuration = NetworkIndicatorManager.Configuration.immediate
        configuration.completionCheckInterval = .milliseconds(10)
        configuration.showDelay = .milliseconds(1)
        configuration.hideDelay = .milliseconds(1)
        return configuration
    }()

    /// In bytes, for each use of a load.
    private static let limit = 100

    private func measure(_ name: String, _ count: Int, _ load: () -> Void) {
        for _ in 0..<(count / 5) { load() }
        // Threads that start or end meanwhile change the heap once, and a leak each time.
        var growth = Int.max
        for _ in 1...3 where growth >= Self.limit {
            let before = Heap.size
            for _ in 0..<count { load() }
            growth = (Heap.size - before) / count
        }
        note("\(name) \(growth < Self.limit ? "stays" : "grows by \(growth) bytes")")
    }
}

private final class Screen: Sendable {
    private let manager: NetworkIndicatorManager
    private let changes = DispatchSemaphore(value: 0)

    init(_ configuration: NetworkIndicatorManager.Configuration) {
        manager = NetworkIndicatorManager(configuration: configuration)
        manager.attach { [changes] _ in changes.signal() }
        changes.wait()
    }

    func show() {
        let token = manager.beganNetworkTask()
        changes.wait()
        token.finish()
        changes.wait()
    }

    func showObject() {
        do {
            let object = Operation()
            manager.beganNetworkTask(withToken: object)
            changes.wait()
            withExtendedLifetime(object) {}
        }
        changes.wait()
    }

    func useEverything() {
        let attachments = [manager.attach { _ in }, manager.attach(monitor: TextMonitor { _ in })]
        let object = Operation()
        manager.beganNetworkTask(withToken: object) { !$0.isFinished }
        let token = manager.beganNetworkTask(label: "token")
        manager.incrementActivityCount()
        let ends = DispatchSemaphore(value: 0)
        Task { [manager] in
            for await isVisible in manager.visibilityUpdates where isVisible { break }
            ends.signal()
        }
        Task { [manager] in
            try await manager.waitUntilIdle(timeout: .seconds(60))
            ends.signal()
        }
        changes.wait()
        // The stream's element: the indicator is on.
        ends.wait()
        manager.decrementActivityCount()
        token.finish()
        manager.finishedNetworkTask(forToken: object)
        changes.wait()
        ends.wait()
        for attachment in attachments { attachment.detach() }
    }
}
