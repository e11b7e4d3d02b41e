import Foundation
import NetworkIndicator
import TestSupport

@testable import NetworkIndicatorTransfers

final class ManualTiming: Sendable {
    private struct Sleeper {
        let deadline: Duration
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var now: Duration = .zero
        var sleepers: [UUID: Sleeper] = [:]
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
        let id = UUID()
        try await withTaskCancellationHandler {
            try Task.checkCancellation()
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                state.withLock { state in
                    if skipsSleeps { state.now += duration }
                    state.sleepers[id] = Sleeper(
                        deadline: skipsSleeps ? state.now : state.now + duration, continuation: continuation)
                }
                log.add(duration)
                wakeSleepers { $0.deadline <= self.state.withLock(\.now) }
                if Task.isCancelled { cancel(id) }
            }
        } onCancel: {
            cancel(id)
        }
    }

    private func cancel(_ id: UUID) {
        state.withLock { $0.sleepers.removeValue(forKey: id) }?.continuation.resume(throwing: CancellationError())
    }

    private func wakeSleepers(_ isDue: (Sleeper) -> Bool) {
        let all = state.withLock(\.sleepers)
        for (id, sleeper) in all where isDue(sleeper) {
            state.withLock { $0.sleepers.removeValue(forKey: id) }?.continuation.resume()
        }
    }

    func advance(by duration: Duration) {
        let now = state.withLock { state in
            state.now += duration
            return state.now
        }
        wakeSleepers { $0.deadline <= now }
    }

    func sleepsBegun(_ count: Int) async { await log.reached(count) }
}
