import Foundation
import NetworkIndicator
import TestSupport
import Testing

@testable import NetworkIndicatorProgress

@Suite("Following a URLSession task", .timeLimit(.minutes(10)))
struct TransferTaskTests {
    private let time = TestClock()
    private let meter: TransferMeter

    init() { meter = TransferMeter(clock: time) }

    private func check(_ number: Int) async {
        await time.sleepsBegun(number)
        time.advance(by: time.sleeps[number - 1])
    }

    private func ended() async {
        while !meter.state.withLock(\.totals.open.isEmpty) { await Task.yield() }
    }

    @Test("Its bytes are read, less often while nothing changes, until it ends")
    func runs() async {
        let task = StubTask.make()
        meter.beginTransfer(label: "atlas.zip").follow(task)
        for number in 1...5 { await check(number) }
        await time.sleepsBegun(6)
        #expect(meter.slowestTransfers(limit: 1).isEmpty, "it has not started")
        task.set(.running, received: 250, of: 1_000)
        await check(6)
        await time.sleepsBegun(7)
        #expect(meter.fractionCompleted == 0.25 && meter.slowestTransfers(limit: 1)[0].label == "atlas.zip")
        task.set(.completed, received: 1_000, of: 1_000)
        await check(7)
        await ended()
        #expect(time.sleeps == [100, 200, 400, 800, 1_000, 1_000, 100].map { .milliseconds($0) })
        #expect(meter.status.completedBytes == 1_000 && meter.fractionCompleted == nil)
    }

    @Test("Its size is known at its end, but not if it fails", arguments: [nil, URLError(.networkConnectionLost)])
    func ends(error: URLError?) async {
        let task = StubTask.make()
        meter.beginTransfer().follow(task)
        task.set(.completed, received: 400, error: error)
        await check(1)
        await ended()
        #expect(meter.status.totalBytes == (error == nil ? 400 : nil))
    }

    @Test("A running task keeps its last bytes, and a suspended one isn't kept")
    func memory() async {
        var task: StubTask? = .make()
        weak let released = task
        let transfer = meter.beginTransfer()
        transfer.follow(task!)
        await check(1)
        await time.sleepsBegun(2)
        task = nil
        // The check itself may still hold the task.
        while released != nil { await Task.yield() }
        await check(2)
        await ended()

        task = .make()
        meter.beginTransfer().follow(task!)
        task!.set(.completed, received: 400)
        task = nil
        await check(3)
        await ended()
        #expect(meter.status.completedBytes == 400)
    }

    @Test("A finished transfer follows no longer")
    func finished() async {
        let task = StubTask.make()
        weak let released = { [meter] in
            let transfer = meter.beginTransfer()
            transfer.follow(task)
            transfer.finish()
            return transfer
        }()
        await check(1)
        while released != nil { await Task.yield() }
        #expect(time.sleeps.count == 1)
    }
}
