import Foundation
import NetworkIndicator

/// Runs nested run loops in a scheduler's work, until other work of the scheduler has ended them.
@MainActor
final class Nesting {
    private let note: @Sendable (String) -> Void
    private let scheduler = MainScheduler()
    private var hops = 0
    private var ticks = 0
    private var timer: (any ActivityTimer)?

    nonisolated init(note: @escaping @Sendable (String) -> Void) { self.note = note }

    nonisolated func run() {
        scheduler.performOnMain {
            // In a block of the main queue, a run loop checks its limit only when something wakes it.
            RunLoop.main.add(Timer(fire: Date(), interval: 0.01, repeats: true) { _ in }, forMode: .common)
            for name in ["1", "2", "3"] {
                self.scheduler.performOnMain {
                    self.hops += 1
                    self.nest { self.hops == 3 }
                    self.note("hop\(name)")
                    if name == "1" { self.tick() }
                }
            }
        }
    }

    private func tick() {
        timer = scheduler.schedule(at: scheduler.now, repeatingEvery: .milliseconds(20)) {
            self.ticks += 1
            let tick = self.ticks
            self.nest { self.ticks == 3 }
            self.timer?.cancel()
            self.note("tick\(tick)")
            if tick == 1 { exit(0) }
        }
    }

    private func nest(until isOver: () -> Bool) {
        let limit = Date(timeIntervalSinceNow: 60)
        while !isOver(), limit > Date() { RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.01)) }
        if !isOver() { note("stuck") }
    }
}
