/// The attached indicators, monitors and streams, and the observations of notifications.
///
/// Deliveries are level-triggered: an attached indicator receives the current value unless the last value that it
/// received is the same.
struct Observers: Sendable {
    typealias Attachment = NetworkIndicatorManager.Attachment

    struct Indicator: Sendable {
        let attachment: Attachment
        let indicator: any ActivityIndicator
        /// The value that the indicator received last, or that it is about to receive.
        var lastDelivered: Bool?
        var isAttached = true
    }

    /// What an indicator is about to receive: a value, or `nil` if the indicator only learns that it was detached.
    typealias Delivery = (observer: Indicator, value: Bool?)

    /// Indicators receive a change in this order, in which they were attached. A detached indicator stays in the array
    /// until a turn has notified it.
    private(set) var indicators: [Indicator] = []
    private(set) var monitors: [ObjectIdentifier: Attachment] = [:]
    /// The streams, and the observations of notifications.
    private(set) var others: [ObjectIdentifier: Attachment] = [:]
    /// The indicators before this index have received the current value.
    private var notifiedCount = 0
    /// The number of indicators that are being turned off.
    private var deliveries = 0

    var areOff: Bool { deliveries == 0 && !indicators.contains { $0.lastDelivered == true } }
    var hasPending: Bool { notifiedCount < indicators.count }

    mutating func changeValue() { notifiedCount = 0 }

    private mutating func set(isAttached: Bool, at index: Int) {
        indicators[index].isAttached = isAttached
        notifiedCount = min(notifiedCount, index)
    }

    mutating func attach(_ new: Attachment) -> Attachment {
        switch new.content {
        case .indicator(let indicator):
            if let index = indicators.firstIndex(where: { $0.indicator === indicator }) {
                set(isAttached: true, at: index)
                return indicators[index].attachment
            }
            indicators.append(Indicator(attachment: new, indicator: indicator))
        case .monitor: monitors[ObjectIdentifier(new)] = new
        case .stream, .notifications: others[ObjectIdentifier(new)] = new
        }
        return new
    }

    /// Returns whether a turn must notify the indicator or release the monitor. The caller holds the attachment, so
    /// removing it deallocates nothing while the lock is held.
    mutating func detach(_ attachment: Attachment) -> Bool {
        let key = ObjectIdentifier(attachment)
        others[key] = nil
        guard let index = indicators.firstIndex(where: { $0.attachment === attachment }) else {
            return monitors.removeValue(forKey: key) != nil
        }
        set(isAttached: false, at: index)
        return true
    }

    var attachments: [Attachment] { indicators.map(\.attachment) + monitors.values + others.values }

    /// If this method returns a delivery, the caller must make it, and then call ``end(_:)``.
    mutating func nextDelivery(_ isVisible: Bool) -> Delivery? {
        while hasPending {
            let observer = indicators[notifiedCount]
            let value = observer.isAttached && isVisible
            let isStale = observer.lastDelivered.map { $0 != value } ?? observer.isAttached
            if observer.isAttached {
                indicators[notifiedCount].lastDelivered = value
                notifiedCount += 1
                guard isStale else { continue }
            } else {
                indicators.remove(at: notifiedCount)
            }
            if !value { deliveries += 1 }
            return (observer, isStale ? value : nil)
        }
        return nil
    }

    mutating func end(_ delivery: Delivery) { if delivery.value != true { deliveries -= 1 } }
}
