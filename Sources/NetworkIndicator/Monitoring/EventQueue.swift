/// Events that wait for delivery to the monitors, in the order in which they happened.
///
/// Any thread adds events under the tracker's lock. One thread at a time removes them, and delivers them outside the
/// lock.
struct EventQueue {
    /// An event, with the monitors that were attached when it happened.
    struct Delivery {
        enum Content {
            case event(NetworkTaskEvent)
            /// The end of every task in a registry. Delivery creates one event for each task, outside the lock.
            case reset(TaskRegistry)
        }

        let content: Content
        let monitors: [MonitorAttachment]

        /// Notifies the monitors. Call this outside every lock.
        func deliver() {
            switch content {
            case .event(let event): notify(event)
            case .reset(let registry): registry.forEachRecord { notify(.ended(NetworkTaskInfo($0), .reset)) }
            }
        }

        private func notify(_ event: NetworkTaskEvent) {
            for attachment in monitors { attachment.monitor.networkIndicator(event) }
        }
    }

    private var monitors: [MonitorAttachment] = []
    private var pending: [Delivery] = []
    private var isDelivering = false

    /// Whether a monitor is attached. Without one, no event is added.
    var isMonitored: Bool { !monitors.isEmpty }
    /// Whether events are pending and no thread delivers them.
    var needsDelivery: Bool { !pending.isEmpty && !isDelivering }
    /// Whether monitors have received every event.
    var isDelivered: Bool { pending.isEmpty && !isDelivering }

    mutating func attach(_ monitor: MonitorAttachment) { monitors.append(monitor) }

    /// Returns the attachment, to be released after unlocking.
    mutating func detach(_ monitor: MonitorAttachment) -> MonitorAttachment? {
        monitors.firstIndex { $0 === monitor }.map { monitors.remove(at: $0) }
    }

    /// Returns all attachments, to be released after unlocking.
    mutating func detachAll() -> [MonitorAttachment] {
        defer { monitors = [] }
        return monitors
    }

    mutating func append(_ event: @autoclosure () -> NetworkTaskEvent) {
        if isMonitored { pending.append(Delivery(content: .event(event()), monitors: monitors)) }
    }

    mutating func append(resetOf registry: TaskRegistry) {
        if isMonitored { pending.append(Delivery(content: .reset(registry), monitors: monitors)) }
    }

    mutating func beginDelivery() -> Bool {
        defer { isDelivering = isDelivering || !pending.isEmpty }
        return needsDelivery
    }

    /// The next deliveries. If there are none, the delivery is over.
    mutating func takePending(atMost limit: Int) -> [Delivery] {
        isDelivering = !pending.isEmpty
        defer { pending.removeFirst(min(limit, pending.count)) }
        return Array(pending.prefix(limit))
    }
}
