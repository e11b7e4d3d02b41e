// Without this attribute, each file that uses a meter would need a second import.
@_exported public import NetworkIndicatorProgress

extension TransferMeter.Transfer {
    /// Applies an event of a tracked request, so that you can pass this method as `onEvent`.
    ///
    /// A start and progress have the effects of `start()` and `update(_:)`, the last event finishes the transfer, and
    /// the waits appear in the meter's `waitingText`. Use a new transfer for the next request.
    @Sendable public func receive(_ event: AttemptEvent) {
        switch event {
        case .started: start()
        case .willRetry(_, _, let delay): wait(delay)
        case .waitingForConnectivity: wait(nil)
        case .receiving: beginResponse()
        case .progress(let progress): update(progress)
        case .finished: finish()
        }
    }
}
