import NetworkIndicator

/// Reads the fraction of an indicator when the indicator turns on, and then ten times a second until it turns off.
@MainActor
final class FractionReader {
    private let fraction: (@MainActor @Sendable () -> Double?)?
    private let scheduler: any ActivityScheduler
    private var timer: (any ActivityTimer)?

    /// - Parameter fraction: `nil` if there is none to read, so that no timer is needed.
    nonisolated init(
        _ fraction: (@MainActor @Sendable () -> Double?)?, scheduler: any ActivityScheduler = MainScheduler()
    ) {
        self.fraction = fraction
        self.scheduler = scheduler
    }

    /// Passes the clamped fraction to `show`, immediately and at each later reading.
    func start(_ show: @escaping @MainActor @Sendable (Double?) -> Void) {
        stop()
        guard let fraction else { return show(nil) }
        // The closure may turn the indicator off, so the timer must exist before the call.
        timer = scheduler.schedule(at: scheduler.now.advanced(by: .milliseconds(100)), repeatingEvery: nil) {
            [weak self] in self?.start(show)
        }
        show(clamped(fraction()))
    }

    func stop() {
        timer?.cancel()
        timer = nil
    }
}
