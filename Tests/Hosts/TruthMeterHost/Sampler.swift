import Dispatch
import Foundation
import NetworkIndicator

/// Looks again and again whether what is shown is what is true.
///
/// The machine may be busy with something else: while the main thread or the sampler itself was held up, the limits
/// count from the end of that.
struct Sampler {
    typealias Instant = SuspendingClock.Instant

    struct Verdict {
        var samples = 0
        /// Samples at which the indicator had to be on, or off, and was.
        var rightlyOn = 0
        var rightlyOff = 0
        var lies: [String] = []
    }

    let manager: any MeteredManager
    let ledger: Ledger
    /// How long after a task's begin the indicator has to be on, and after the last one's end off.
    let onLimit: Duration
    let offLimit: Duration

    /// When the main thread last got round to saying so.
    private let heartbeat = Lock(SuspendingClock().now)
    private static let patience = Duration.milliseconds(20)

    init(manager: any MeteredManager, ledger: Ledger, onLimit: Duration, offLimit: Duration) {
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
            if now - last > Self.patience || now - heartbeat.withLock({ $0 }) > Self.patience { lastDisturbance = now }
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
        // What holds in both holds in between, where the indicator was looked at.
        let lasting = zip(before.liveSince, after.liveSince).compactMap { $0 == $1 ? $0 : nil }.min()
        if let since = lasting, now - max(since, lastDisturbance) > onLimit {
            if isVisible {
                verdict.rightlyOn += 1
            } else {
                verdict.lies.append("off although a task has been live for \(now - since)")
            }
        }
        if let since = before.idleSince, since == after.idleSince, now - max(since, lastDisturbance) > offLimit {
            if isVisible {
                verdict.lies.append("on although no task has been live for \(now - since)")
            } else {
                verdict.rightlyOff += 1
            }
        }
    }
}
