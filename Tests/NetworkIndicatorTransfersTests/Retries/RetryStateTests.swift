import Foundation
import NetworkIndicator
import NetworkIndicatorTestKit
import Testing

@testable import NetworkIndicatorTransfers

struct RetryStateTests {
    private typealias Decision = RetryState.Decision

    private let refused = AttemptFailure.transport(URLError(.cannotConnectToHost))
    private let lost = AttemptFailure.transport(URLError(.cannotFindHost))

    private func policy(isOffline: Bool = false) -> TrackedRetryPolicy {
        var policy = TrackedRetryPolicy.retryingServerErrors
        policy.connectivityMonitor = isOffline ? ManualConnectivityMonitor.offline : ManualConnectivityMonitor()
        return policy
    }

    private func decide(
        _ state: inout RetryState, after failure: AttemptFailure, at seconds: Double = 0,
        before end: Duration = .longest, _ policy: TrackedRetryPolicy, random: Double = 1
    ) -> Decision {
        let request = URLRequest(url: URL(string: "http://example.com/")!)
        return state.decide(after: failure, of: request, at: .seconds(seconds), before: end, policy, random: random)
    }

    private func pauses(
        _ policy: TrackedRetryPolicy, after failure: AttemptFailure, random: Double = 1
    ) -> [Duration] {
        var (state, pauses): (RetryState, [Duration]) = (RetryState(), [])
        while case .retry(let pause) = decide(&state, after: failure, policy, random: random) { pauses.append(pause) }
        return pauses
    }

    @Test(arguments: [0.0, 0.25, 1]) func theBackoffDoublesUpToItsLimit(random: Double) {
        var policy = policy()
        policy.maximumRetries = 8
        let longest = [0.5, 1, 2, 4, 8, 16, 20, 20]
        #expect(pauses(policy, after: refused, random: random) == longest.map { .seconds($0 * random) })
        #expect(pauses(policy, after: .transport(URLError(.secureConnectionFailed))).isEmpty)
    }

    @Test func extremeSettingsOverflowNothing() {
        var policy = policy()
        (policy.maximumRetries, policy.backoffBase, policy.backoffLimit) = (100, .seconds(Int64.max), .seconds(90_000))
        #expect(
            pauses(policy, after: refused).map { $0 / .seconds(3_600) } == [1, 2, 4, 8, 16]
                + Array(repeating: 25, count: 95))
        (policy.backoffBase, policy.retryAfterLimit) = (.seconds(-1), .seconds(-1))
        #expect(pauses(policy, after: .status(503, retryAfter: nil)) == Array(repeating: .zero, count: 100))
        policy.maximumRetries = -1
        #expect(pauses(policy, after: refused).isEmpty)
    }

    @Test func theBackoffIsAddedToRetryAfter() {
        for (seconds, pauses) in [(7, [7.5, 8]), (60, [60.5, 61]), (61, [])] {
            let failure = AttemptFailure.status(503, retryAfter: .seconds(seconds))
            #expect(self.pauses(policy(), after: failure) == pauses.map { .seconds($0) })
        }
    }

    @Test func progressRestoresTheRetriesButNotTheBackoff() {
        var (state, policy, decisions): (RetryState, TrackedRetryPolicy, [Decision]) = (RetryState(), policy(), [])
        policy.maximumRetries = 1
        for length: Int64 in [1, 2, 0, 2, 3, 3] {
            state.noteProgress(length)
            decisions.append(decide(&state, after: refused, policy))
        }
        let pauses: [Duration?] = [.seconds(0.5), .seconds(1), nil, nil, .seconds(2), nil]
        #expect(decisions == pauses.map { $0.map { .retry(after: $0) } ?? .stop })
    }

    @Test func noRetryEndsAfterTheDeadline() {
        var state = RetryState()
        let late = AttemptFailure.status(503, retryAfter: .seconds(30))
        for (failure, end) in [(refused, Duration.seconds(7)), (late, .seconds(20))] {
            #expect(decide(&state, after: failure, at: 7, before: end, policy()) == .stop)
        }
    }

    // MARK: Offline

    private func wait(_ error: URLError = URLError(.cannotFindHost), atMost seconds: Double) -> Decision {
        .waitForConnectivity(error, atMost: .seconds(seconds))
    }

    @Test func withoutATimeoutTheWaitGoesOn() {
        var (state, policy, now) = (RetryState(), policy(isOffline: true), 0.0)
        policy.connectivityTimeout = nil
        for number in 0..<1_000 {
            let pause = Double(min(30, 1 << min(number, 5)))
            #expect(decide(&state, after: lost, at: now, policy) == wait(atMost: pause))
            now += pause
        }
    }

    @Test func theTimeoutCountsFromTheFirstOfflineError() {
        var (state, policy) = (RetryState(), policy(isOffline: true))
        let other = URLError(.networkConnectionLost)
        #expect(decide(&state, after: lost, at: 0, policy) == wait(atMost: 1))
        let silent = AttemptFailure.transport(URLError(.timedOut))
        #expect(decide(&state, after: silent, at: 40, policy) == .retry(after: .seconds(0.5)))
        #expect(decide(&state, after: .transport(other), at: 59, policy) == wait(other, atMost: 1))
        #expect(decide(&state, after: lost, at: 118, policy) == wait(atMost: 1))
        #expect(decide(&state, after: lost, at: 119, policy) == .expire(other, offline: .seconds(60)))
        policy.connectivityTimeout = .zero
        #expect(pauses(policy, after: lost).count == 2, "without a timeout, being offline is an error like others")
    }

    // MARK: Rules

    @Test(arguments: ["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE", "POST", "PATCH", "CONNECT"])
    func methods(method: String) throws {
        let isIdempotent = !["POST", "PATCH", "CONNECT"].contains(method)
        var request = URLRequest(method, try #require(URL(string: "http://example.com")))
        #expect(TrackedRetryPolicy.standard.mayRepeat(request) == isIdempotent)
        var policy = TrackedRetryPolicy.standard
        policy.retriesNonIdempotentRequests = true
        #expect(policy.mayRepeat(request))
        request.setValue("1", forHTTPHeaderField: "idempotency-key")
        #expect(TrackedRetryPolicy.standard.mayRepeat(request))
        request.httpBodyStream = InputStream(data: Data())
        #expect(!TrackedRetryPolicy.standard.mayRepeat(request))
    }

    @Test(arguments: [
        (URLError.Code.notConnectedToInternet, [true, true, true]), (.dataNotAllowed, [true, true, true]),
        (.internationalRoamingOff, [true, true, true]), (.callIsActive, [true, true, true]),
        (.unknown, [false, false, false]), (.cannotFindHost, [false, true, false]),
        (.cannotConnectToHost, [false, true, false]),
        (.networkConnectionLost, [false, true, false]), (.timedOut, [false, false, false]),
        (.secureConnectionFailed, [false, false, false]),
    ])
    func errorsOfAMissingNetwork(code: URLError.Code, expected: [Bool]) {
        let verdicts = [(false, "example.com"), (true, "example.com"), (true, "localhost")].map { isOffline, host in
            var policy = TrackedRetryPolicy.standard
            policy.connectivityMonitor = isOffline ? ManualConnectivityMonitor.offline : ManualConnectivityMonitor()
            let url = URL(string: "http://\(host)/")
            #expect(!policy.isOffline(URLError(code), url: url, isRefused: true) || !expected[0])
            return policy.isOffline(URLError(code), url: url, isRefused: false)
        }
        #expect(verdicts == expected)
    }

    @Test(arguments: [
        ("localhost", true), ("a.localhost", true), ("LOCALHOST.", true), ("127.1.2.3", true), ("[::1]", true),
        ("127.1", true), ("::1", true), ("127.0.0.1.", true),
        ("0.0.0.0", false), ("128.0.0.1", false), ("localhost.example.com", false), ("127.example.com", false),
        ("127.", false), ("::2", false), ("", false),
    ])
    func loopbackHosts(host: String, isLoopback: Bool) {
        #expect(host.isLoopback == isLoopback)
    }
}
