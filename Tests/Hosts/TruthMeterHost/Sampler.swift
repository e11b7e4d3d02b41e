import Dispatch
import Foundation
import NetworkIndicator

/// Compares the indicator with the ledger repeatedly.
///
/// If the machine delayed the main thread or the sampler, the limits count from the end of the delay.
struct Sampler {
    typealias Instant = SuspendingClock.Instant

    struct Verdict {
        var samples = 0
        /// How many samples required the indicator to be on or off, and found it so.
        var rightlyOn = 0
        var rightlyOff = 0
        var mismatches: [String] = []
    }

    let manager: MeteredManager
    let ledger: Ledger
    /// The longest times from the start of a task until on, and from the end of the last one until off.
    let onLimit: Duration
    let offLimit: Duration

    /// The last time at which the main thread ran.
    private let heartbeat = Lock(SuspendingClock().now)
    private static let tolerance = Duration.milliseconds(20)

    init(manager: MeteredManager, ledger: Ledger, onLimit: Duration, offLimit: Duration) {
        self.manager = manager
        self.ledger = ledger
        self.onLimit = onLimit
        self.offLimit = offLimit
    }

    func run(for duration: Duration) -> Verdict {
        let pulse = DispatchSource.makeTimerSource(queue: .main)
        pulse.setEventHandler { [heartbeat] in heartbeat.withLock { $0 = SuspendingClock().now } }
        pulse.schedule(deadline: .now(), repeating: .milliseconds(4), leeway: .milliseconds(1))
        pulse.activate()
        defer { pulse.cancel() }

        var verdict = Verdict()
        let start = SuspendingClock().now
        var last = start
        var lastDisturbance = start
        while last - start < duration {
            usleep(700)
            let before = ledger.entry
            let isVisible = manager.isVisible
            let after = ledger.entry
            let now = SuspendingClock().now
            if now - last > Self.tolerance || now - heartbeat.withLock({ $0 }) > Self.tolerance {
                lastDisturbance = now
            }
            last = now
            verdict.samples += 1
            judge(isVisible, before, after, now, lastDisturbance, &verdict)
        }
        return verdict
    }

    private func judge(
        _ isVisible: Bool, _ before: Ledger.Entry, _ after: Ledger.Entry, _ now: Instant, _ lastDisturbance: Instant,
        _ verdict: inout Verdict
    ) {
        // A state that is the same in both entries also applied in between, when the indicator was read.
        let lasting = zip(before.liveSince, after.liveSince).compactMap { $0 == $1 ? $0 : nil }.min()
        if let since = lasting, now - max(since, lastDisturbance) > onLimit {
            if isVisible {
                verdict.rightlyOn += 1
            } else {
                verdict.mismatches.append("off although a task has been live for \(now - since)")
            }
        }
        if let since = before.idleSince, since == after.idleSince, now - max(since, lastDisturbance) > offLimit {
            if isVisible {
                verdict.mismatches.append("on although no task has been live for \(now - since)")
            } else {
                verdict.rightlyOff += 1
            }
        }
    }
}
