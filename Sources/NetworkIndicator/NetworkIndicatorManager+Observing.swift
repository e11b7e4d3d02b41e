import Observation

extension NetworkIndicatorManager {
    // MARK: Tasks

    /// How many tasks there are, of every kind.
    ///
    /// Looks at every token first. Any thread; O(n), the lock being taken in slices, so that under traffic the number is
    /// no snapshot of one moment. Not observable.
    public var activeTaskCount: Int { tracker.countTasks() }

    /// Whether there is any task. Looks at tokens only until it meets a live one. Any thread. Not observable.
    public var hasActiveTasks: Bool { tracker.hasTasks() }

    /// Returns when no task is left, the indicator is off, and the monitors have heard of all that led to it.
    ///
    /// Looks at every token first. Later ends of callers' objects are noticed by polling. A slow monitor holds the return
    /// up; one that waited for it would wait for itself, for ever.
    ///
    /// - Throws: `CancellationError` when the calling task is cancelled.
    public func waitUntilIdle() async throws {
        try Task.checkCancellation()
        _ = tracker.countTasks()
        let tracker = tracker
        let id = tracker.state.withLock { $0.waiters.makeID() }
        defer { tracker.state.withLock { $0.waiters.remove(id: id) } }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: Waiters.Continuation) in
                let (isWaiting, ready) = tracker.state.withLock { state in
                    (state.waiters.add(continuation, id: id), state.takeWaiters())
                }
                for waiter in ready { waiter.resume() }
                if !isWaiting { continuation.resume(throwing: CancellationError()) }
            }
        } onCancel: {
            let continuation = tracker.state.withLock { $0.waiters.cancel(id: id) }
            continuation?.resume(throwing: CancellationError())
        }
    }

    // MARK: The indicator

    /// Whether the indicator is on. Any thread.
    ///
    /// Observable: observe it on the main actor. Elsewhere use ``visibilityUpdates``, since Observation loses updates
    /// where a value changes while another thread sets its tracking up.
    public var isIndicatorVisible: Bool {
        registrar.access(self, keyPath: \.isIndicatorVisible)
        return tracker.state.withLock { $0.outputs.isVisible }
    }

    /// The indicator's present state, and then each change of it.
    ///
    /// Each access makes a stream for a listener of its own; there can be any number. Values are buffered without bound,
    /// and the stream ends with the manager. Any thread.
    public var visibilityUpdates: AsyncStream<Bool> {
        let (stream, continuation) = AsyncStream.makeStream(of: Bool.self)
        final class Identity: Sendable {}
        let identity = Identity()
        continuation.onTermination = { [weak tracker] _ in
            let released = tracker?.state.withLock { $0.outputs.detach(id: ObjectIdentifier(identity)).released }
            withExtendedLifetime(released) {}
        }
        tracker.state.withLock { $0.outputs.attach(continuation, id: ObjectIdentifier(identity)) }
        return stream
    }

    /// Attaches an indicator, which is held strongly until it is detached or the manager is gone.
    ///
    /// If the indicator is on at present, it is told so at the next main turn. Attaching an attached indicator returns
    /// its attachment. Any thread.
    ///
    /// - Parameter indicator: What to switch on and off, on the main actor.
    /// - Returns: What to detach it with. Dropping it detaches nothing.
    @discardableResult
    public func attach(_ indicator: any ActivityIndicator) -> IndicatorAttachment {
        let new = IndicatorAttachment(indicator, tracker: tracker)
        let attachment = tracker.state.withLock { $0.outputs.attach(new) }
        tracker.requestReconcile()
        return attachment
    }

    // MARK: Settings

    /// Whether the indicator may be shown. Default `true`; observable. Any thread.
    ///
    /// Switching it off hides the indicator at the next main turn; tasks go on being tracked. Switching it on again shows
    /// it at the next main turn if the network has been in use for long enough.
    public var isEnabled: Bool {
        get {
            registrar.access(self, keyPath: \.isEnabled)
            return tracker.state.withLock { $0.isEnabled }
        }
        set {
            registrar.withMutation(of: self, keyPath: \.isEnabled) {
                tracker.state.withLock { $0.isEnabled = newValue }
            }
            tracker.requestReconcile()
        }
    }

    /// When the indicator goes on and off. Takes effect at the next main turn, running timers included. Any thread.
    ///
    /// Reading, changing and writing back is not atomic across threads: ``updateConfiguration(_:)`` is.
    public var configuration: Configuration {
        get { tracker.state.withLock { $0.configuration } }
        set { replaceConfiguration { _ in newValue } }
    }

    /// Changes the configuration, atomically.
    ///
    /// - Parameter change: Changes the value it is given. It runs outside of all locks, and once more for each change of
    ///   the configuration that another thread made meanwhile.
    public func updateConfiguration(_ change: (inout Configuration) -> Void) {
        replaceConfiguration {
            var configuration = $0
            change(&configuration)
            return configuration
        }
    }

    /// ``Configuration/completionCheckInterval`` of the ``configuration``. Setting it is atomic. Any thread.
    public var completionCheckInterval: Duration {
        get { configuration.completionCheckInterval }
        set { updateConfiguration { $0.completionCheckInterval = newValue } }
    }

    private func replaceConfiguration(_ change: (Configuration) -> Configuration) {
        while true {
            let old = configuration
            let new = change(old)
            let now = tracker.now
            let isReplaced = tracker.state.withLock { state in
                guard state.configuration == old else { return false }
                // A busy period that has ended does not come back with a longer hide delay.
                state.busyPeriod.endIfIdle(at: now, hideDelay: old.hideDelay)
                state.configuration = new
                return true
            }
            if isReplaced { break }
        }
        tracker.requestReconcile()
    }
}
