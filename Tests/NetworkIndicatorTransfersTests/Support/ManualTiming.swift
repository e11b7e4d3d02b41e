import Foundation
import NetworkIndicator
import TestSupport

@testable import NetworkIndicatorTransfers

final class ManualTiming: Sendable {
    private struct State {
        var now: Duration = .zero
        var sleepers: [(deadline: Duration, signal: Signal)] = []
    }

    private let state = Lock(State())
    private let log = Log<Duration>()
    private let start = Date(timeIntervalSince1970: 1_800_000_000)
    private let skipsSleeps: Bool
    private let seed: UInt64

    init(skipsSleeps: Bool = false, seed: UInt64 = 1) {
        self.skipsSleeps = skipsSleeps
        self.seed = seed
    }

    var timing: RetryTiming {
        let generator = Lock(SeededGenerator(seed: seed))
        return RetryTiming(
            now: { self.state.withLock(\.now) }, sleep: { try await self.sleep($0) },
            date: { self.start + self.state.withLock(\.now).timeInterval },
            random: { generator.withLock { .random(in: 0...1, using: &$0) } })
    }

    var date: Date { timing.date() }

    var sleeps: [Duration] { log.entries }

    private func sleep(_ duration: Duration) async throws {
        try Task.checkCancellation()
        let signal = Signal()
        state.withLock { state in
            if skipsSleeps { state.now += duration }
            state.sleepers.append((skipsSleeps ? state.now : state.now + duration, signal))
        }
        log.add(duration)
        advance(by: .zero)
        try await signal.wait()
    }

    func advance(by duration: Duration) {
        let due = state.withLock { state in
            state.now += duration
            let due = state.sleepers.filter { $0.deadline <= state.now }
            state.sleepers.removeAll { $0.deadline <= state.now }
            return due
        }
        for sleeper in due { sleeper.signal.send() }
    }

    func sleepsBegun(_ count: Int) async { await log.reached(count) }
}
