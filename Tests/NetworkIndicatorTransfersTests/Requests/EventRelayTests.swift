import Dispatch
import Foundation
import TestSupport
import Testing

@testable import NetworkIndicatorTransfers

@Suite(.timeLimit(.minutes(10)))
struct EventRelayTests {
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
