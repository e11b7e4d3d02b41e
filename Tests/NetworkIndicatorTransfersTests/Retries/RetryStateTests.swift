import Foundation
import NetworkIndicator
import Testing

@testable import NetworkIndicatorTransfers

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(10)))
struct RetryStateTests {
    let refused = AttemptFailure.transport(URLError(.cannotConnectToHost))
    let timeout = AttemptFailure.transport(URLError(.timedOut))
    private let request = URLRequest(url: URL(string: "http://example.com/")!)

    private func pauses(_ policy: TrackedRetryPolicy, after failure: AttemptFailure) -> [Duration] {
        var state = RetryState()
        var pauses: [Duration] = []
        while case .retry(let pause) = state.decide(
            after: failure, of: request, at: .zero, before: .longest, policy)
        {
            pauses.append(pause)
        }
        return pauses
    }

    private func policy(retries: Int = 2, seed: UInt64 = 1) -> TrackedRetryPolicy {
        var policy = TrackedRetryPolicy.standard.on(ManualTiming(seed: seed))
        policy.maximumRetries = retries
        return policy
    }

    private let lost = AttemptFailure.transport(URLError(.cannotFindHost))

    private func offlinePolicy(retries: Int = 2) -> TrackedRetryPolicy {
        var policy = policy(retries: retries)
        policy.connectivityMonitor = TestMonitor(isOffline: true)
        return policy
    }

    @Test func theBackoffDoublesUpToItsLimit() {
        var largest: [Duration] = Array(repeating: .zero, count: 8)
        var smallest: [Duration] = Array(repeating: .seconds(100), count: 8)
        for seed in 0..<1_000 {
            for (index, pause) in pauses(policy(retries: 8, seed: UInt64(seed)), after: refused).enumerated() {
                largest[index] = max(largest[index], pause)
                smallest[index] = min(smallest[index], pause)
            }
        }
        for (index, bound) in [0.5, 1, 2, 4, 8, 16, 20, 20].enumerated() {
            #expect(largest[index] <= .seconds(bound))
            #expect(largest[index] > .seconds(bound * 0.98))
            #expect(smallest[index] >= .zero)
            #expect(smallest[index] < .seconds(bound * 0.02))
        }
    }

    @Test func aHundredRetriesOverflowNothing() {
        var policy = policy(retries: 1_000)
        #expect(policy.maximumRetries == 100)
        policy.backoffBase = .seconds(Int64.max)
        policy.backoffLimit = .seconds(Int64.max)
        let pauses = pauses(policy, after: refused)
        #expect(pauses.count == 100)
        #expect(pauses.allSatisfy { $0 <= .seconds(3_600) })
    }

    @Test(arguments: [
        URLError.Code.cancelled, .badURL, .unsupportedURL, .secureConnectionFailed, .serverCertificateHasBadDate,
        .serverCertificateUntrusted, .userAuthenticationRequired,
    ])
    func someErrorsAreNeverRetried(code: URLError.Code) {
        let failure = AttemptFailure.transport(URLError(code))
        #expect(pauses(policy(), after: failure).isEmpty)
    }

    @Test func withoutATimeoutBeingOfflineIsAnErrorLikeOthers() {
        var (state, policy) = (RetryState(), offlinePolicy(retries: 1))
        policy.retriedErrorCodes.insert(.cannotFindHost)
        policy.connectivityTimeout = .zero
        let decisions = (1...2).map { _ in
            state.decide(after: lost, of: request, at: .zero, before: .longest, policy)
        }
        if case .retry = decisions[0], decisions[1] == .stop { return }
        Issue.record("\(decisions)")
    }

    @Test(arguments: [7, 60, 61]) func theBackoffIsAddedToRetryAfter(seconds: Int) {
        let failure = AttemptFailure.status(503, retryAfter: .seconds(seconds))
        var delays: Set<Duration> = []
        for seed in 1...64 {
            var (state, policy) = (RetryState(), policy(seed: UInt64(seed)))
            policy.retriedStatusCodes = [503]
            let decision = state.decide(after: failure, of: request, at: .zero, before: .longest, policy)
            if case .retry(let delay) = decision { delays.insert(delay) }
        }
        #expect(delays.count == (seconds > 60 ? 0 : 64))
        let range = Duration.seconds(seconds)...(.seconds(seconds) + .milliseconds(500))
        #expect(delays.allSatisfy { range.contains($0) })
    }

    @Test func progressRestoresTheRetriesButNotTheBackoff() {
        var (state, policy) = (RetryState(), policy(retries: 1))
        policy.timing.random = { 1 }
        var decisions: [RetryState.Decision] = []
        for length: Int64 in [1, 2, 0, 2, 3, 3] {
            state.noteProgress(length)
            decisions.append(state.decide(after: refused, of: request, at: .zero, before: .longest, policy))
        }
        func retry(_ seconds: Double) -> RetryState.Decision { .retry(after: .seconds(seconds)) }
        #expect(decisions == [retry(0.5), retry(1), .stop, .stop, retry(2), .stop])
    }

    @Test func noRetryEndsAfterTheDeadline() {
        var policy = policy()
        policy.retriedStatusCodes = [503]
        var state = RetryState()
        for (failure, end) in [(timeout, Duration.seconds(7)), (.status(503, retryAfter: .seconds(30)), .seconds(20))] {
            #expect(state.decide(after: failure, of: request, at: .seconds(7), before: end, policy) == .stop)
        }
    }

    // MARK: Offline

    @Test func withoutATimeoutTheWaitGoesOn() {
        var policy = offlinePolicy()
        policy.connectivityTimeout = nil
        var state = RetryState()
        var now = Duration.zero
        for number in 0..<1_000 {
            let decision = state.decide(after: lost, of: request, at: now, before: .longest, policy)
            guard case .waitForConnectivity(let limit) = decision else {
                Issue.record("\(decision)")
                return
            }
            #expect(limit == .seconds(min(30, 1 << min(number, 5))))
            now += limit
        }
    }

    @Test func theTimeoutCountsFromTheFirstOfflineError() {
        let policy = offlinePolicy()
        let other = AttemptFailure.transport(URLError(.networkConnectionLost))
        var state = RetryState()
        func decide(_ failure: AttemptFailure, at seconds: Int) -> RetryState.Decision {
            state.decide(after: failure, of: request, at: .seconds(seconds), before: .longest, policy)
        }
        _ = decide(lost, at: 0)
        _ = state.decide(after: timeout, of: request, at: .seconds(40), before: .longest, policy)
        #expect(decide(other, at: 59) == .waitForConnectivity(atMost: .seconds(1)))
        #expect(decide(lost, at: 118) == .waitForConnectivity(atMost: .seconds(1)))
        #expect(decide(lost, at: 119) == .expire(URLError(.networkConnectionLost), offline: .seconds(60)))
    }
}
