// Compares an indicator with the real activity of threads, with a real main loop.
//
//     TruthMeterHost (runLoop | dispatchMain) SECONDS
//
// Exit status: 0 if they agree, 1 if they differ, 2 if the machine was too busy to decide.

import Dispatch
import Foundation
import NetworkIndicator

let arguments = CommandLine.arguments
guard arguments.count == 3, let seconds = Int(arguments[2]) else {
    print("usage: TruthMeterHost (runLoop | dispatchMain) SECONDS")
    exit(64)
}

var configuration = NetworkIndicatorManager.Configuration.standard
configuration.completionCheckInterval = .milliseconds(100)
configuration.showDelay = .milliseconds(50)
configuration.hideDelay = .milliseconds(60)
let slack = Duration.milliseconds(60)

let manager = MeteredManager(configuration: configuration)
let ledger = Ledger(workers: Workload.workers)
let sampler = Sampler(
    manager: manager, ledger: ledger, onLimit: configuration.showDelay + slack,
    offLimit: configuration.completionCheckInterval + configuration.hideDelay + slack)

Workload(manager: manager, ledger: ledger).start()
Thread {
    let verdict = sampler.run(for: .seconds(seconds))
    print(
        "\(verdict.samples) samples: rightly on at \(verdict.rightlyOn), rightly off at \(verdict.rightlyOff), "
            + "wrong at \(verdict.mismatches.count)")
    for mismatch in verdict.mismatches.prefix(5) { print(mismatch) }
    if !verdict.mismatches.isEmpty { exit(1) }
    exit(min(verdict.rightlyOn, verdict.rightlyOff) < 50 * seconds / 3 ? 2 : 0)
}.start()

if arguments[1] == "dispatchMain" { dispatchMain() } else { while true { RunLoop.main.run() } }
