import Foundation
import NetworkIndicator

private struct Work: Sendable {
    let manager: NetworkIndicatorManager
    let isReset: Bool
    let tokens: [Token]
}

/// The main thread creates objects that conditions, indicators and monitors capture. Other threads end the tasks and
/// release the managers, but own none of these objects.
@MainActor
func capturedObjects(rounds: Int) {
    let queue = Lock<[Work]>([])
    for _ in 0..<3 {
        Thread.detachNewThread {
            while true { if let work = queue.withLock({ $0.popLast() }) { end(work) } else { sched_yield() } }
        }
    }
    for round in 0..<rounds {
        let work = makeWork(round)
        let attachment = work.manager.attach(
            monitor: TextMonitor { [screen = OwnedObject()] _ in withExtendedLifetime(screen) {} })
        queue.withLock { $0.append(work) }
        // Another thread may be delivering an event.
        if round.isMultiple(of: 3) {
            sched_yield()
            attachment.detach()
        }
        if round.isMultiple(of: 2) { RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.0002)) }
    }
    while OwnedObject.living > 0 { RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.01)) }
    OwnedObject.printStrays()
    exit(0)
}

@MainActor
private func makeWork(_ round: Int) -> Work {
    let manager = NetworkIndicatorManager(configuration: .immediate)
    let tokens = (0..<10).map { _ in Token() }
    // A manager that is released with an indicator and tasks would print a warning, and so would one that nothing
    // observes.
    let isReset = round.isMultiple(of: 2)
    _ = manager.isIndicatorVisible
    if isReset { manager.attach { [screen = OwnedObject()] _ in withExtendedLifetime(screen) {} } }
    for token in tokens {
        manager.beganNetworkTask(withToken: token) { [screen = OwnedObject()] _ in
            withExtendedLifetime(screen) { true }
        }
    }
    return Work(manager: manager, isReset: isReset, tokens: tokens)
}

private func end(_ work: Work) {
    var tokens = work.tokens
    for _ in 0..<3 { work.manager.finishedNetworkTask(forToken: tokens.removeLast()) }
    for _ in 0..<2 { work.manager.beganNetworkTask(withToken: tokens.removeLast()) }
    tokens = []
    // These tokens may have the addresses of the released ones.
    for _ in 0..<5 { work.manager.beganNetworkTask(withToken: Token()) }
    if work.isReset { work.manager.reset() }
}
