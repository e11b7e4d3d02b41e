/// Events on their way to the monitors, in the order of what happened.
///
/// Who waits for the manager to be idle finds what led to it in what the monitors have recorded, whoever delivers it: so
/// waiters go through here, too, where there is something on its way.
///
/// Events are put in where things happen, under the tracker's lock, and taken out by one thread at a time, outside it.
struct EventQueue {
    /// An event, and who was attached when it happened.
    struct Batch {
        let events: Events
        let monitors: [MonitorAttachment]
    }

    enum Events {
        case one(NetworkTaskEvent)
        /// The end of all these; made into events only where they are delivered.
        case reset(TokenRegistry)
        /// Who waits to be told that the manager is idle, and what led to it is on its way to the monitors.
        case waiters([Waiters.ID])
    }

    private(set) var monitors: [MonitorAttachment] = []
    private var batches: [Batch] = []
    private var isDelivering = false

    /// Whether anybody listens. No event is put in while nobody does.
    var isMonitored: Bool { !monitors.isEmpty }
    /// Whether nobody listens, and nobody is to hear of anything yet.
    var isQuiet: Bool { monitors.isEmpty && batches.isEmpty }
    /// Whether the monitors have heard of everything.
    var isDelivered: Bool { batches.isEmpty && !isDelivering }
    /// Whether somebody has to see to the delivery.
    var needsDelivery: Bool { !batches.isEmpty && !isDelivering }

    mutating func attach(_ monitor: MonitorAttachment) { monitors.append(monitor) }

    /// Hands the attachment out, to be released outside the lock.
    mutating func detach(_ monitor: MonitorAttachment) -> MonitorAttachment? {
        monitors.firstIndex { $0 === monitor }.map { monitors.remove(at: $0) }
    }

    /// Detaches everybody at the end of the manager; hands them out, to be released outside the lock.
    mutating func detachAll() -> [MonitorAttachment] {
        defer { monitors = [] }
        return monitors
    }

    @inline(__always)
    mutating func append(_ event: @autoclosure () -> NetworkTaskEvent) {
        if isMonitored { appendForMonitors(event) }
    }

    @inline(never)
    private mutating func appendForMonitors(_ event: () -> NetworkTaskEvent) {
        batches.append(Batch(events: .one(event()), monitors: monitors))
    }

    mutating func append(resetOf registry: TokenRegistry) {
        if isMonitored { batches.append(Batch(events: .reset(registry), monitors: monitors)) }
    }

    mutating func append(_ waiters: [Waiters.ID]) {
        batches.append(Batch(events: .waiters(waiters), monitors: []))
    }

    mutating func beginDelivery() -> Bool {
        guard needsDelivery else { return false }
        isDelivering = true
        return true
    }

    /// What is to be delivered next; where that is nothing, the delivery is over.
    mutating func takeBatches(atMost limit: Int) -> [Batch] {
        isDelivering = !batches.isEmpty
        guard batches.count > limit else {
            defer { batches = [] }
            return batches
        }
        defer { batches.removeFirst(limit) }
        return Array(batches.prefix(limit))
    }
}

extension EventQueue.Batch {
    /// Tells the monitors, or those of the tracker's waiters that still wait. Outside every lock.
    func deliver(of tracker: TaskTracker) {
        switch events {
        case .one(let event):
            tell(event)
        case .reset(let registry):
            registry.forEachTask { tell(.ended($0, .reset)) }
        case .waiters(let ids):
            for waiter in tracker.state.withLock({ $0.waiters.takeDue(ids) }) { waiter.resume() }
        }
    }

    private func tell(_ event: NetworkTaskEvent) {
        for attachment in monitors { attachment.monitor.networkIndicator(event) }
    }
}
