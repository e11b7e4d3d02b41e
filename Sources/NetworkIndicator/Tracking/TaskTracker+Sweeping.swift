extension TaskTracker {
    enum Sweep {
        case metLiveToken
        case noneLeft
        /// The slice was used up by dead tokens, and there are more tokens to look at.
        case unfinished
    }

    /// How many weak references are looked at under one hold of the lock: well under a millisecond.
    private static let slice = 512

    /// Looks on from where the last sweep ended until it meets a live token, for one slice at most.
    ///
    /// Every entry it looks at and passes is removed, so it comes to an end, however many slices it takes.
    func sweepToLiveToken() -> Sweep {
        let now = self.now
        let (sweep, leftovers, followUp) = state.withLock { state in
            var live: AnyObject?
            var labels: [String] = []
            for _ in 0..<Self.slice where live == nil && !state.registry.weakTasks.isEmpty {
                switch state.examineNext() {
                case .token(let object): live = object
                case .label(let label): labels.append(label)
                case .nothing: break
                }
            }
            let sweep: Sweep =
                live != nil ? .metLiveToken : state.registry.weakTasks.isEmpty ? .noneLeft : .unfinished
            return (sweep, (live, labels), state.settle(at: now))
        }
        perform(followUp, beforeReleasing: leftovers)
        return sweep
    }

    /// Whether there is a task. Sweeps only to the first live token.
    func hasTasks() -> Bool {
        while !state.withLock({ $0.registry.hasCertainTasks }) {
            switch sweepToLiveToken() {
            case .metLiveToken: return true
            case .noneLeft: return state.withLock { $0.registry.isBusy }
            case .unfinished: continue
            }
        }
        return true
    }

    /// Looks at the next tasks of a pass over all of them, one slice: ends those whose tokens are gone, and reports
    /// those that have been running for too long.
    ///
    /// - Returns: The live tasks of the slice. The pass itself knows when it is complete.
    func look(_ pass: inout TokenRegistry.Pass) -> [NetworkTaskInfo] {
        let now = self.now
        var next = pass
        let (tasks, leftovers, followUp) = state.withLock { state in
            var tasks: [NetworkTaskInfo] = []
            var live: [AnyObject] = []
            var labels: [String] = []
            let threshold = state.events.isMonitored ? state.configuration.longRunningTaskThreshold : nil
            for _ in 0..<Self.slice where !next.isComplete {
                for seen in state.registry.look(&next, longRunningBefore: threshold.map { now - $0 }) {
                    switch seen {
                    case .live(let info, let object, let becameLongRunning):
                        tasks.append(info)
                        if let object { live.append(object) }
                        if becameLongRunning { state.events.append(.stillRunning(info)) }
                    case .ended(let info):
                        state.events.append(.ended(info, .deallocated))
                        if let label = info.label { labels.append(label) }
                    }
                }
            }
            return (tasks, (live, labels), state.settle(at: now))
        }
        pass = next
        perform(followUp, beforeReleasing: leftovers)
        return tasks
    }

    /// A whole pass over the tasks; returns the live ones.
    func allTasks() -> [NetworkTaskInfo] {
        var pass = TokenRegistry.Pass()
        var tasks: [NetworkTaskInfo] = []
        while !pass.isComplete { tasks += look(&pass) }
        return tasks
    }

    /// Ends the tasks of all tokens that are gone, and counts those that are left.
    func countTasks() -> Int {
        var pass = TokenRegistry.Pass()
        while !pass.isComplete { _ = look(&pass) }
        return state.withLock { $0.registry.count }
    }
}

extension TaskTracker.State {
    /// Looks at the next weak task, and tells the monitors if that is over.
    ///
    /// - Returns: The token, if there is a task and it is alive, or what its end left.
    mutating func examineNext() -> TokenRegistry.Leftover {
        guard let slot = registry.nextToExamine() else { return .nothing }
        if let object = registry.weakTasks[slot].token.object { return .token(object) }
        events.append(.ended(registry.weakTasks[slot].info, .deallocated))
        return registry.endWeakTask(in: slot)
    }
}
