import Foundation
import NetworkIndicator
import TestSupport

/// Three chains of hops, in which each hop submits the next one, beside a timer of the main run loop.
@MainActor
final class Chains {
    private let note: @Sendable (String) -> Void
    private let scheduler = MainScheduler()
    private var hops = 0
    private var ticks = 0
    private var heapSize = 0

    nonisolated init(note: @escaping @Sendable (String) -> Void) { self.note = note }

    nonisolated func run() {
        scheduler.performOnMain {
            for _ in 1...3 { self.hop() }
            let timer = Timer(fire: Date(), interval: 0.001, repeats: true) { _ in
                MainActor.assumeIsolated { self.tick() }
            }
            RunLoop.main.add(timer, forMode: .common)
        }
    }

    private func hop() {
        hops += 1
        if hops > 10_000 { end("starves the timer") }
        scheduler.performOnMain { self.hop() }
    }

    private func tick() {
        (hops, ticks) = (0, ticks + 1)
        if ticks == 100 { heapSize = Heap.size }
        guard ticks == 600 else { return }
        let growth = Heap.size - heapSize
        end(growth < 500_000 ? "passed" : "grows by \(growth) bytes")
    }

    private func end(_ result: String) {
        note(result)
        exit(0)
    }
}
