import Foundation
import TestSupport
import Testing

@testable import NetworkIndicatorTransfers

@Suite(.timeLimit(.minutes(10)))
struct EventRelayTests {
    private let log = Log<String>()
    private let clock = TestClock()
    private let receiving = "receiving(isResumable: false, isVerifiable: true)"

    private func relay(_ handler: @escaping @Sendable (String) -> Void = { _ in }) -> EventRelay {
        EventRelay(clock) { [log] event in
            log.add("\(event)")
            handler("\(event)")
        }
    }

    private func progress(_ bytes: Int64, of total: Int64? = nil) -> TransferProgress {
        TransferProgress(completedBytes: bytes, totalBytes: total)
    }

    @Test func theRestIsReportedWhenItIsDue() async {
        let relay = relay()
        relay.report(progress(1))
        await log.reached(1)
        for bytes in Int64(2)...4 { relay.report(progress(bytes)) }
        clock.advance(by: .milliseconds(100))
        await log.reached(2)
        #expect(log.entries == ["progress(1 B)", "progress(4 B)"])
    }

    /// For example, a redirect follows the first part of an upload.
    @Test func laterProgressDoesNotOvertakeAnEvent() async {
        let mayReturn = DispatchSemaphore(value: 0)
        let relay = relay { if $0.hasPrefix("started") { mayReturn.wait() } }
        relay.post(.started(attempt: 1))
        relay.report(progress(1))
        relay.post(.receiving(isResumable: false, isVerifiable: true))
        relay.report(progress(2))
        mayReturn.signal()
        await log.reached(4)
        #expect(log.entries == ["started(attempt: 1)", "progress(1 B)", receiving, "progress(2 B)"])
    }

    @Test func postponedEventsPrecedeTheNextOne() async {
        let relay = relay()
        relay.postpone(.progress(progress(0, of: 4)))
        relay.report(progress(2, of: 4))
        await log.reached(2)
        relay.postpone(.receiving(isResumable: false, isVerifiable: true))
        await relay.postAndWait(.finished)
        #expect(log.entries == ["progress(0 of 4 B)", "progress(2 of 4 B)", receiving, "finished"])
    }

    /// For example, the body of a response with an authentication challenge is complete, and another response follows.
    @Test func progressAfterACompleteResponseIsReported() async {
        let relay = relay()
        relay.report(progress(4, of: 4))
        relay.report(progress(1, of: 9))
        await log.reached(1)
        #expect(log.entries == ["progress(1 of 9 B)"])
    }

    /// Otherwise, the queue of a fast transfer with a slow handler would grow without a limit.
    @Test func aSlowHandlerReceivesOnlyTheLatestProgress() async {
        let mayReturn = DispatchSemaphore(value: 0)
        let relay = relay { if $0 == "progress(1 B)" { mayReturn.wait() } }
        relay.report(progress(1))
        await log.reached(1)
        for bytes in Int64(2)...1_000 {
            clock.advance(by: .milliseconds(100))
            relay.report(progress(bytes))
        }
        mayReturn.signal()
        await relay.postAndWait(.finished)
        #expect(log.entries == ["progress(1 B)", "progress(1 kB)", "finished"])
    }
}
