import Foundation
import NetworkIndicator
import Testing

@testable import NetworkIndicatorTransfers

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Tests of decisions, without a network or a real clock.
@Suite(.timeLimit(.minutes(10)))
struct RetryStateTests {
    let refused = AttemptFailure.transport(URLError(.cannotConnectToHost))
    let timeout = AttemptFailure.transport(URLError(.timedOut))

    /// The pauses that a policy makes, until it stops.
    private func pauses(_ policy: TrackedRetryPolicy, after failure: AttemptFailure) -> [Duration] {
        var state = RetryState()
        var pauses: [Duration] = []
        while case .retry(let pause) = state.decide(
            after: failure, offlineSince: nil, at: .zero, before: .longest, policy)
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

    @Test func theBackoffDoublesUpToItsLimit() {
        // Of a thousand random pauses, the largest is close to the bound, and the smallest to zero.
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

    @Test func theSameSeedGivesTheSamePauses() {
        #expect(pauses(policy(seed: 7), after: refused) == pauses(policy(seed: 7), after: refused))
        #expect(pauses(policy(seed: 7), after: refused) != pauses(policy(seed: 8), after: refused))
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

    @Test func settingsAreClamped() {
        var policy = TrackedRetryPolicy.standard
        policy.maximumRetries = -1
        policy.backoffBase = .seconds(-1)
        policy.backoffLimit = .seconds(-1)
        policy.retryAfterLimit = .seconds(-1)
        policy.connectivityTimeout = .seconds(-1)
        #expect(policy.maximumRetries == 0)
        #expect(policy.backoffBase == .zero && policy.backoffLimit == .zero)
        #expect(policy.retryAfterLimit == .zero && policy.connectivityTimeout == .zero)
        policy.retryAfterLimit = .seconds(Int64.max)
        policy.connectivityTimeout = .seconds(Int64.max)
        #expect(policy.retryAfterLimit == .seconds(86_400))
        #expect(policy.connectivityTimeout == .longest)
    }

    @Test func theDefaults() {
        let policy = TrackedRetryPolicy.standard
        #expect(policy.maximumRetries == 2)
        #expect(policy.backoffBase == .milliseconds(500) && policy.backoffLimit == .seconds(20))
        #expect(policy.retryAfterLimit == .seconds(60) && policy.connectivityTimeout == .seconds(60))
        #expect(policy.retriedStatusCodes.isEmpty && !policy.retriesNonIdempotent)
        let retried = [-1001, -1003, -1004, -1005, -1006]
        #if canImport(FoundationNetworking)
        #expect(Set(policy.retriedErrorCodes.map(\.rawValue)) == Set(retried + [-1, -1011]))
        #else
        #expect(Set(policy.retriedErrorCodes.map(\.rawValue)) == Set(retried))
        #endif
        #expect(TrackedRetryPolicy.retryingServerErrors.retriedStatusCodes == [408, 429, 502, 503, 504])
    }

    @Test(arguments: [
        URLError.Code.cancelled, .badURL, .unsupportedURL, .secureConnectionFailed, .serverCertificateHasBadDate,
        .serverCertificateUntrusted, .userAuthenticationRequired,
    ])
    func someErrorsAreNeverRetried(code: URLError.Code) {
        let failure = AttemptFailure.transport(URLError(code))
        #expect(pauses(policy(), after: failure).isEmpty)
    }

    @Test(arguments: ["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE", "POST", "PATCH", "CONNECT"])
    func methods(method: String) throws {
        let url = try #require(URL(string: "http://example.com"))
        let isIdempotent = !["POST", "PATCH", "CONNECT"].contains(method)
        var request = URLRequest(method, url)
        #expect(TrackedRetryPolicy.standard.mayRepeat(request) == isIdempotent)
        var policy = TrackedRetryPolicy.standard
        policy.retriesNonIdempotent = true
        #expect(policy.mayRepeat(request))
        request.setValue("1", forHTTPHeaderField: "idempotency-key")
        #expect(TrackedRetryPolicy.standard.mayRepeat(request))
        request.httpBodyStream = InputStream(data: Data())
        #expect(!TrackedRetryPolicy.standard.mayRepeat(request))
    }

    /// Apple's systems report -1009. For the codes that a missing network has on Linux, the monitor decides.
    @Test(arguments: [
        (URLError.Code.notConnectedToInternet, [true, true]), (.dataNotAllowed, [true, true]),
        (.internationalRoamingOff, [true, true]), (.callIsActive, [true, true]), (.unknown, [false, true]),
        (.cannotFindHost, [false, true]), (.networkConnectionLost, [false, true]), (.timedOut, [false, false]),
        (.secureConnectionFailed, [false, false]),
    ])
    func errorsOfAMissingNetwork(code: URLError.Code, expected: [Bool]) {
        let error = URLError(code)
        let verdicts = [false, true].map { isOffline in
            var policy = TrackedRetryPolicy.standard
            policy.connectivityMonitor = TestMonitor(isOffline: isOffline)
            return policy.isOffline(error, url: URL(string: "http://example.com"))
        }
        #expect(verdicts == expected)
        var policy = TrackedRetryPolicy.standard
        policy.connectivityMonitor = TestMonitor(isOffline: true)
        let isMissing = [.notConnectedToInternet, .dataNotAllowed, .internationalRoamingOff, .callIsActive].contains(
            code)
        #expect(policy.isOffline(error, url: URL(string: "http://localhost/")) == isMissing)
    }

    @Test func withoutATimeoutBeingOfflineIsAnErrorLikeOthers() {
        var (state, policy) = (RetryState(), policy(retries: 1))
        policy.connectivityTimeout = .zero
        let decisions = (1...2).map { _ in
            state.decide(after: refused, offlineSince: .zero, at: .zero, before: .longest, policy)
        }
        if case .retry = decisions[0], decisions[1] == .stop { return }
        Issue.record("\(decisions)")
    }

    @Test func backgroundSessionsAreRefused() throws {
        #expect(TrackedRequest.error(forSessionIdentifier: nil) == nil)
        let error = try #require(TrackedRequest.error(forSessionIdentifier: "uploads"))
        #expect(error.localizedDescription.contains("“uploads” is a background session"))
    }

    @Test(arguments: [7, 60, 61]) func retryAfterIsAMinimum(seconds: Int) {
        var (state, policy) = (RetryState(), policy())
        policy.retriedStatusCodes = [503]
        let failure = AttemptFailure.status(503, retryAfter: .seconds(seconds))
        let decision = state.decide(after: failure, offlineSince: nil, at: .zero, before: .longest, policy)
        #expect(decision == (seconds > 60 ? .stop : .retry(after: .seconds(seconds))))
    }

    @Test func noRetryEndsAfterTheDeadline() {
        var policy = policy()
        policy.retriedStatusCodes = [503]
        var state = RetryState()
        for (failure, end) in [(timeout, Duration.seconds(7)), (.status(503, retryAfter: .seconds(30)), .seconds(20))] {
            #expect(state.decide(after: failure, offlineSince: nil, at: .seconds(7), before: end, policy) == .stop)
        }
    }

    // MARK: Offline

    @Test func withoutATimeoutTheWaitGoesOn() {
        var policy = policy()
        policy.connectivityTimeout = nil
        var state = RetryState()
        var now = Duration.zero
        for number in 0..<1_000 {
            let decision = state.decide(after: refused, offlineSince: now, at: now, before: .longest, policy)
            guard case .waitForConnectivity(let limit) = decision else {
                Issue.record("\(decision)")
                return
            }
            #expect(limit == .seconds(min(30, 1 << min(number, 5))))
            now += limit
        }
    }

    @Test func theTimeoutCountsFromTheFirstOfflineError() {
        let policy = policy()
        var state = RetryState()
        func decide(_ failure: AttemptFailure, since: Duration? = nil, at seconds: Int) -> RetryState.Decision {
            state.decide(
                after: failure, offlineSince: since ?? .seconds(seconds), at: .seconds(seconds), before: .longest,
                policy)
        }
        _ = decide(refused, at: 0)
        _ = state.decide(after: timeout, offlineSince: nil, at: .seconds(40), before: .longest, policy)
        #expect(decide(timeout, at: 59) == .waitForConnectivity(atMost: .seconds(1)))
        #expect(decide(refused, at: 118) == .waitForConnectivity(atMost: .seconds(1)))
        #expect(decide(refused, at: 119) == .expire(URLError(.timedOut), offline: .seconds(60)))
        // The system has waited during the attempt.
        state = RetryState()
        #expect(
            decide(refused, since: .seconds(3), at: 63)
                == .expire(URLError(.cannotConnectToHost), offline: .seconds(60)))
    }

    @Test(arguments: [
        ("localhost", true), ("a.localhost", true), ("LOCALHOST.", true), ("127.0.0.1", true), ("127.1.2.3", true),
        ("[::1]", true), ("::1", true), ("0.0.0.0", false), ("127.example.com", false), ("128.0.0.1", false),
        ("localhost.example.com", false),
    ])
    func loopbackHosts(host: String, isLoopback: Bool) {
        #expect(TrackedRetryPolicy.isLoopback(host) == isLoopback)
    }

    // MARK: Retry-After

    @Test(arguments: [
        ("0", Duration.zero), ("120", .seconds(120)), (" 7 ", .seconds(7)), ("-1", nil), ("1.5", nil), ("", nil),
        ("soon", nil), ("99999999999999999999999", .longest),
        ("Sun, 06 Nov 1994 08:49:37 GMT", .seconds(37)), ("Sunday, 06-Nov-94 08:49:37 GMT", .seconds(37)),
        ("Sun Nov  6 08:49:37 1994", .seconds(37)), ("Sun, 06 Nov 1994 08:48:00 GMT", .zero),
    ])
    func retryAfter(value: String, expected: Duration?) {
        // 1994-11-06 08:49:00 UTC.
        let date = Date(timeIntervalSince1970: 784_111_740)
        #expect(RetryAfter.delay(value, at: date) == expected)
    }
}
