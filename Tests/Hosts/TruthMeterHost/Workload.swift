import Dispatch
import Foundation
import NetworkIndicator

/// Several threads with tasks of every kind and length, in bursts with pauses.
struct Workload {
    static let workers = 6

    let manager: MeteredManager
    let ledger: Ledger

    /// Starts the load, which runs until the program ends.
    func start() {
        Thread { [self] in
            while true {
                storm(longest: [1, 20, 400].randomElement()!, for: .milliseconds(Int.random(in: 1...400)))
                usleep(UInt32.random(in: 1...200) * 1000)
                // Almost every begin and end of these tasks is an edge between idle and busy. One long task may follow.
                storm(longest: 0, for: .milliseconds(Int.random(in: 1...30)))
                if Bool.random() { perform(of: 0, longest: 400) }
                usleep(UInt32.random(in: 250...400) * 1000)
            }
        }.start()
    }

    /// - Parameter longest: The longest task, in milliseconds.
    private func storm(longest: UInt32, for duration: Duration) {
        DispatchQueue.main.async { usleep(UInt32.random(in: 0...10_000)) }
        let end = SuspendingClock().now + duration
        let group = DispatchGroup()
        for worker in 0..<(longest == 0 ? 2 : Int.random(in: 1...Self.workers)) {
            group.enter()
            Thread { [self] in
                while SuspendingClock().now < end {
                    perform(of: worker, longest: longest)
                    if longest > 0, Bool.random() { usleep(UInt32.random(in: 0...2000)) }
                }
                group.leave()
            }.start()
        }
        group.wait()
    }

    private func perform(of worker: Int, longest: UInt32) {
        ledger.task(of: worker) {
            manager.begin(TaskKind.allCases.randomElement()!)
        } hold: {
            if longest > 0 { usleep(UInt32.random(in: 0...longest * 1000)) }
        }
    }
}
