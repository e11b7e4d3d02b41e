import TestSupport
import Testing

@testable import NetworkIndicatorTransfers

@Suite(.timeLimit(.minutes(10)))
struct SystemConnectivityMonitorTests {
    /// On Linux, the system reports no paths.
    @Test func aWaitEndsWhenThePathChanges() async {
        let path = ManualPath()
        let monitor = SystemConnectivityMonitor(path.monitor)
        for isCancelled in [false, true] {
            let wait = Task { await monitor.waitForChange() }
            while path.monitorCount == 0 { await Task.yield() }
            if isCancelled {
                wait.cancel()
            } else {
                path.update(false)
                path.update(true)
            }
            await wait.value
            #expect(path.monitorCount == 0)
        }
    }
}
