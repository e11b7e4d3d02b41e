import Dispatch
import NetworkIndicator

/// A repeating timer with its own queue, so that a blocked main thread doesn't delay it.
final class FrameTimer: ActivityTimer {
    private let source = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "NetworkIndicatorTerminal.frames"))

    init(every interval: Duration, _ work: @escaping @Sendable () -> Void) {
        source.schedule(deadline: .now() + interval.timeInterval, repeating: interval.timeInterval)
        source.setEventHandler(handler: work)
        source.activate()
    }

    func cancel() { source.cancel() }
}
