import Foundation
import NetworkIndicator

/// Measures rows: every one warmed up first, then one sample of each a round, so that what disturbs the machine for a
/// while disturbs all of them alike.
///
/// It is to run off the main thread while the main thread drains its queue. So a second thread is alive always, and
/// locks cost what they cost in a real program.
struct Runner {
    /// How long a sample of pairs lasts about.
    let sampleDuration: Duration
    let rounds: Int
    let isQuick: Bool

    static let full = Runner(sampleDuration: .milliseconds(40), rounds: 15, isQuick: false)
    static let quick = Runner(sampleDuration: .milliseconds(5), rounds: 5, isQuick: true)

    func run(_ benchmarks: [Benchmark], progress: (String) -> Void) throws -> [Result] {
        var results = benchmarks.map { Result(benchmark: $0) }
        var samplers: [Int: Sampler] = [:]
        for (index, benchmark) in benchmarks.enumerated() {
            guard case .pairs(let make) = benchmark.measurement else { continue }
            progress("warming up \(benchmark.name), \(benchmark.live) live, \(benchmark.threads) threads")
            samplers[index] = Sampler(make(), threads: benchmark.threads, duration: sampleDuration)
        }
        for round in 1...rounds where !samplers.isEmpty {
            progress("round \(round) of \(rounds)")
            for index in benchmarks.indices {
                if let sample = samplers[index]?.sample() { results[index].samples.append(sample) }
            }
        }
        samplers = [:]
        for (index, benchmark) in benchmarks.enumerated() {
            guard case .value(let rounds, let quickRounds, let measure) = benchmark.measurement else { continue }
            progress("\(benchmark.name), \(benchmark.live) live")
            for _ in 0..<(isQuick ? quickRounds : rounds) { results[index].samples.append(try measure()) }
        }
        return results
    }
}

/// Times pairs of calls on one or more threads.
private struct Sampler {
    private let pairs: Pairs
    private let threads: Int
    private var count = 1

    /// Warms up, and finds out how many pairs make a sample of this length.
    init(_ pairs: @escaping Pairs, threads: Int, duration: Duration) {
        self.pairs = pairs
        self.threads = threads
        // The better of two: a wrong guess would make every sample a bad one.
        var elapsed = min(time(), time())
        while elapsed < duration / 8 {
            count *= 2
            elapsed = min(time(), time())
        }
        count = max(1, Int(Double(count) * (duration / elapsed)))
    }

    /// Nanoseconds a pair: the elapsed time divided by all pairs of all threads.
    func sample() -> Double {
        pairs(count / 16)  // into the caches, after the others had them
        DispatchQueue.main.sync {}  // nobody's blocks but its own
        return time() / .nanoseconds(1) / Double(count * threads)
    }

    private func time() -> Duration {
        let clock = ContinuousClock()
        guard threads > 1 else { return clock.measure { pairs(count) } }
        let ready = DispatchSemaphore(value: 0)
        let start = DispatchSemaphore(value: 0)
        let done = DispatchSemaphore(value: 0)
        let spans = Lock<[(start: ContinuousClock.Instant, end: ContinuousClock.Instant)]>([])
        for _ in 0..<threads {
            Thread.detachNewThread { [pairs, count] in
                ready.signal()
                start.wait()
                let started = clock.now
                pairs(count)
                let ended = clock.now
                spans.withLock { $0.append((started, ended)) }
                done.signal()
            }
        }
        for _ in 0..<threads { ready.wait() }
        for _ in 0..<threads { start.signal() }
        for _ in 0..<threads { done.wait() }
        return spans.withLock { spans in
            spans.map(\.start).min()!.duration(to: spans.map(\.end).max()!)
        }
    }
}
