/// Opaque and counted tasks, which are known without a look at a weak reference.
extension TaskTracker {
    // MARK: Opaque tasks

    func beginOpaque(type: any Any.Type, label: String?, fileID: StaticString, line: UInt) -> TokenRegistry.OpaqueTask {
        // Mostly the app is busy already and nobody listens: then the time decides nothing.
        let recently = self.recently
        let begun: TokenRegistry.OpaqueTask? = state.withLock { state in
            guard state.isSteady else { return nil }
            return state.registry.beginOpaque(
                NetworkTaskInfo(
                    id: state.registry.makeID(), label: label, type: type, began: max(recently, state.busyPeriod.since),
                    fileID: fileID, line: line))
        }
        return begun ?? beginOpaqueAndSettle(type: type, label: label, fileID: fileID, line: line)
    }

    @inline(never)
    private func beginOpaqueAndSettle(
        type: any Any.Type, label: String?, fileID: StaticString, line: UInt
    ) -> TokenRegistry.OpaqueTask {
        let now = self.now
        let (task, followUp) = state.withLock { state in
            let task = state.registry.beginOpaque(
                NetworkTaskInfo(
                    id: state.registry.makeID(), label: label, type: type, began: now, fileID: fileID, line: line))
            state.events.append(.began(state.registry.opaqueTasks[task.slot]))
            return (task, state.settle(at: now))
        }
        perform(followUp)
        return task
    }

    /// - Parameter token: The token, if there is one.
    /// - Returns: Whether there was such a task.
    func finishOpaque(_ task: TokenRegistry.OpaqueTask, of token: NetworkTaskToken? = nil) -> Bool {
        var label: String?
        // Mostly the app stays busy and nobody listens: then there is nothing to settle.
        let isTask: Bool? = state.withLock { state in
            guard state.isSteady, !state.isDownToOne else { return nil }
            token?.isFinished = true
            guard state.registry.isOpaqueTask(task) else { return false }
            label = state.registry.end(task)
            assert(state.isSteady, "the end of one task of several changes nothing")
            return true
        }
        withExtendedLifetime(label) {}
        return isTask ?? finishOpaqueAndSettle(task, of: token)
    }

    @inline(never)
    private func finishOpaqueAndSettle(_ task: TokenRegistry.OpaqueTask, of token: NetworkTaskToken?) -> Bool {
        let now = self.now
        let (isTask, label, followUp) = state.withLock { state in
            token?.isFinished = true
            let isTask = state.registry.isOpaqueTask(task)
            if isTask { state.events.append(.ended(state.registry.opaqueTasks[task.slot], .finished)) }
            return (isTask, isTask ? state.registry.end(task) : nil, state.settle(at: now))
        }
        perform(followUp, beforeReleasing: label)
        return isTask
    }

    // MARK: The activity count

    func increment(fileID: StaticString, line: UInt) {
        let isDone = state.withLock { state in
            !state.events.isMonitored && state.registry.counted.incrementFurther()
        }
        if isDone { return }
        let now = self.now
        let followUp = state.withLock { state in
            let info = NetworkTaskInfo(
                id: state.registry.makeID(), label: nil, type: nil, began: now, fileID: fileID, line: line)
            state.registry.counted.increment(info, isRecording: state.events.isMonitored)
            state.events.append(.began(info))
            return state.settle(at: now)
        }
        perform(followUp)
    }

    func decrement(fileID: StaticString, line: UInt) {
        if state.withLock({ $0.registry.counted.decrementFurther() }) { return }
        let now = self.now
        let followUp = state.withLock { state in
            guard state.registry.counted.count > 0 else {
                state.events.append(.misuse(NetworkTaskMisuse(.countBelowZero, fileID: fileID, line: line)))
                return state.settle(at: now)
            }
            if let info = state.registry.counted.decrement() { state.events.append(.ended(info, .finished)) }
            return state.settle(at: now)
        }
        perform(followUp)
    }
}
