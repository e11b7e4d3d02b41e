import Foundation
import Testing

@testable import NetworkIndicatorTransfers

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("A meter's text while its transfers wait")
struct WaitingTextTests {
    private let time = ManualTiming()

    @Test("A meter whose transfers only wait says why, and one whose transfer moves doesn't")
    func waiting() {
        let meter = TransferMeter(now: time.timing.now)
        #expect(meter.waitingText == nil)
        let (first, second) = (meter.beginTransfer(), meter.beginTransfer())
        #expect(meter.waitingText == nil)
        func retries(_ seconds: Int) -> AttemptEvent {
            .willRetry(attempt: 2, failure: .transport(URLError(.timedOut)), delay: .seconds(seconds))
        }
        let offline = AttemptEvent.waitingForConnectivity(error: URLError(.notConnectedToInternet))
        first.receive(.started(attempt: 1))
        #expect(meter.waitingText == nil)
        first.receive(offline)
        time.advance(by: .seconds(12))
        #expect(meter.waitingText == "offline for 12 s, waiting for the network")
        first.receive(.started(attempt: 2))
        #expect(meter.waitingText == nil)
        first.receive(offline)
        #expect(meter.waitingText == "offline for 12 s, waiting for the network", "since the first failure")
        second.receive(.started(attempt: 1))
        #expect(meter.waitingText == nil)
        second.receive(offline)
        #expect(meter.waitingText == "2 transfers offline for 12 s, waiting for the network")
        second.receive(retries(5))
        time.advance(by: .milliseconds(500))
        #expect(meter.waitingText == "2 transfers waiting, next attempt in 5 s")
        second.receive(.finished)
        #expect(second.status == nil && meter.waitingText == "offline for 12 s, waiting for the network")
        first.receive(retries(2))
        #expect(meter.waitingText == "waiting, next attempt in 2 s")
        first.receive(.started(attempt: 3))
        first.receive(offline)
        #expect(meter.waitingText == "offline for 0 s, waiting for the network", "a retry ended the first wait")
        first.receive(.progress(TransferProgress(completedBytes: 3, totalBytes: 9)))
        #expect(meter.waitingText == nil && meter.status.details == ["3 of 9 B", "", ""])
    }
}
