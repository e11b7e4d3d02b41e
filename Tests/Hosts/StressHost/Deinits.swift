import Foundation
import NetworkIndicator

/// The calls of this load.
protocol TaskTracking: AnyObject, Sendable {
    func began(_ token: AnyObject)
    func finished(_ token: AnyObject)
    func reset()
    func sweep()
}

final class ManagerUnderTest: TaskTracking {
    private let manager = NetworkIndicatorManager(configuration: .immediate)

    /// - Parameter isMonitored: Whether a monitor is attached. Every change then makes an event.
    init(isMonitored: Bool = false) {
        struct SilentMonitor: NetworkTaskMonitor { func networkIndicator(_ event: NetworkTaskEvent) {} }
        if isMonitored { manager.attach(SilentMonitor()) }
    }

    func began(_ token: AnyObject) { manager.beganNetworkTask(withToken: token) }
    func finished(_ token: AnyObject) { manager.finishedNetworkTask(forToken: token) }
    func reset() { manager.reset() }
    func sweep() {
        DispatchQueue.main.sync { MainActor.assumeIsolated { _ = manager.activeTaskCount } }
    }
}

/// The control: a manager that loads and releases weak references under its lock. With this load, it must hang.
final class NaiveManager: TaskTracking {
    // `@unchecked Sendable`: the lock guards the reference.
    private struct Wrapper: @unchecked Sendable { weak var object: AnyObject? }
    private let wrappers = Lock<[ObjectIdentifier: Wrapper]>([:])

    func began(_ token: AnyObject) {
        wrappers.withLock { $0[ObjectIdentifier(token)] = Wrapper(object: token) }
    }
    func finished(_ token: AnyObject) {
        wrappers.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(token)) }
    }
    func reset() { wrappers.withLock { $0 = [:] } }
    func sweep() { wrappers.withLock { $0 = $0.filter { $0.value.object != nil } } }
}

/// Tokens whose `deinit` calls the manager. Any thread may deallocate them, also during a sweep.
final class Deinits: Sendable {
    private let manager: any TaskTracking
    private let count: Int
    private let exchange = Lock<[CallingToken?]>(Array(repeating: nil, count: 8))
    private let isOver = Lock(false)
    /// The number of begins. If it doesn't grow for a long time, the load hangs.
    private let progress = Lock(0)

    init(_ manager: any TaskTracking, count: Int) {
        self.manager = manager
        self.count = count
    }

    private final class CallingToken: Sendable {
        let manager: any TaskTracking
        let number: Int

        init(_ manager: any TaskTracking, _ number: Int) {
            self.manager = manager
            self.number = number
        }

        deinit {
            switch number % 4 {
            case 0: manager.finished(self)
            case 1: manager.began(self)
            case 2: manager.began(CallingToken(manager, 0))
            default: if number % 100 == 3 { manager.reset() } else { manager.finished(manager) }
            }
        }
    }

    func run() {
        let group = DispatchGroup()
        for _ in 0..<2 {
            group.enter()
            Thread.detachNewThread {
                for number in 0..<self.count {
                    let token = CallingToken(self.manager, number)
                    self.manager.began(token)
                    self.progress.withLock { $0 += 1 }
                    // The replaced token is deallocated here, or by a sweep that holds it.
                    let out = self.exchange.withLock { slots in
                        let old = slots[number % slots.count]
                        slots[number % slots.count] = token
                        return old
                    }
                    withExtendedLifetime(out) {}
                }
                group.leave()
            }
        }
        Thread.detachNewThread { while !self.isOver.withLock({ $0 }) { self.manager.sweep() } }
        Thread.detachNewThread { self.watch() }
        group.notify(queue: .global()) {
            self.isOver.withLock { $0 = true }
            print("done")
            exit(0)
        }
    }

    private func watch() {
        // The control hangs for certain, so six seconds are enough. A busy machine may delay the real manager for
        // longer.
        let timeout: TimeInterval = manager is NaiveManager ? 6 : 60
        while true {
            let before = progress.withLock { $0 }
            Thread.sleep(forTimeInterval: timeout)
            guard progress.withLock({ $0 }) == before else { continue }
            print("stuck")
            exit(3)
        }
    }
}
