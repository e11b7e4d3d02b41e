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

    @Test func aWaitEndsWhenItIsCancelled() async {
        let (monitor, ended) = (SystemConnectivityMonitor.system, Log<Int>())
        let waits = (1...20).map { number in
            Task {
                await monitor.waitForChange()
                ended.add(number)
            }
        }
        for wait in waits.dropFirst() { wait.cancel() }
        await ended.reached(19)
        #expect(Set(ended.entries) == Set(2...20))
        waits[0].cancel()
        await ended.reached(20)
        #expect(ended.entries.last == 1)
    }
}
