import Dispatch
import Foundation
import TestSupport
import Testing

@testable import NetworkIndicatorTransfers

@Suite(.timeLimit(.minutes(10)))
struct EventRelayTests {
    @Test func theRestIsReportedWhenItIsDue() async {
        let (log, clock) = (Log<Int64>(), ManualTiming())
        let relay = EventRelay(clock.timing) { event in
            if case .progress(let progress) = event { log.add(progress.completedBytes) }
        }
        let delays = [1, 2, 3].map { relay.report(TransferProgress(completedBytes: $0)) }
        #expect(delays == [nil, .milliseconds(100), .milliseconds(100)])
        clock.advance(by: .milliseconds(60))
        #expect(relay.report(nil) == .milliseconds(40))
        clock.advance(by: .milliseconds(40))
        #expect(relay.report(nil) == nil)
        await log.reached(2)
        #expect(relay.report(nil) == nil)
        #expect(log.entries == [1, 3])
    }

    @Test func noEventComesAfterTheCall() async {
        let log = Log<String>()
        let mayReturn = DispatchSemaphore(value: 0)
        let relay = EventRelay(.system) { event in
            guard case .started = event else { return log.add("finished") }
            log.add("started")
            mayReturn.wait()
        }
        Thread { relay.post(.started(attempt: 1)) }.start()
        await log.reached(1)
        async let end: Void = {
            await relay.postAndWait(.finished)
            log.add("returned")
        }()
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(50)) { mayReturn.signal() }
        await end
        await log.reached(3)
        relay.post(.started(attempt: 2))
        #expect(log.entries == ["started", "finished", "returned"])
    }
}
