import NetworkIndicator
import NetworkIndicatorTestKit
import Testing

@Suite struct TrackedAsyncSequenceTests {
    struct Failure: Error {}

    let manager = NetworkIndicatorManager(configuration: .immediate, scheduler: ManualScheduler())

    private var numbers: AsyncStream<Int> {
        AsyncStream { continuation in
            for number in 1...3 { continuation.yield(number) }
            continuation.finish()
        }
    }

    @Test func aTaskLastsUntilTheSequenceEnds() async {
        let sequence = numbers.tracked(by: manager, label: "numbers")
        #expect(await manager.activeTaskCount == 0)
        var received: [Int] = []
        for await number in sequence {
            received.append(number)
            #expect(await manager.activeTasks.map(\.label) == ["numbers"])
        }
        #expect(received == [1, 2, 3])
        #expect(await manager.activeTaskCount == 0)
    }

    @Test func aTaskEndsAtItsLastElementEvenIfTheIteratorIsHeld() async {
        var iterator = numbers.tracked(by: manager).makeAsyncIterator()
        #expect(await manager.activeTaskCount == 1)
        while await iterator.next() != nil {}
        #expect(await manager.activeTaskCount == 0)
    }

    @Test func aTaskEndsWithAnError() async {
        let stream = AsyncThrowingStream<Int, any Error> { $0.finish(throwing: Failure()) }
        var iterator = stream.tracked(by: manager).makeAsyncIterator()
        await #expect(throws: Failure.self) { try await iterator.next() }
        #expect(await manager.activeTaskCount == 0)
    }

    @Test func aTaskEndsWithItsIterator() async {
        for await number in numbers.tracked(by: manager) where number == 2 { break }
        #expect(await manager.activeTaskCount == 0)
    }

    /// On Apple's older systems, `for await` calls `next()` instead.
    @available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
    @MainActor @Test func iterationKeepsTheIsolationOfItsCaller() async {
        let counts = IsolatedCounts()
        var received: [Int] = []
        for await count in counts.tracked(by: manager) { received.append(count) }
        #expect(received == [1, 2, 3])
        #expect(manager.activeTaskCount == 0)
    }
}

/// Counts up to three on the main actor, and ends at once elsewhere. It isn't `Sendable`.
@available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
private struct IsolatedCounts: AsyncSequence {
    final class AsyncIterator: AsyncIteratorProtocol {
        private var count = 0

        func next() async -> Int? { nil }

        func next(isolation actor: isolated (any Actor)?) async -> Int? {
            guard actor === MainActor.shared, count < 3 else { return nil }
            count += 1
            return count
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator() }
}
