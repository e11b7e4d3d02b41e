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

        /// Whether the indicator must receive a value, or learn that it was detached.
        func isPending(_ isVisible: Bool) -> Bool { !isAttached || lastDelivered != isVisible }
    }

    /// What an indicator is about to receive: a value, or `nil` if the indicator only learns that it was detached.
    typealias Delivery = (observer: Indicator, value: Bool?)

    /// Indicators receive a change in this order, in which they were attached. A detached indicator stays in the array
    /// until a turn has notified it.
    private(set) var indicators: [Indicator] = []
    private(set) var monitors: [ObjectIdentifier: Attachment] = [:]
    /// The streams, and the observations of notifications.
    private(set) var others: [ObjectIdentifier: Attachment] = [:]
    /// The number of indicators that are being turned off.
    private var deliveries = 0

    var areOff: Bool { deliveries == 0 && !indicators.contains { $0.lastDelivered == true } }

    func hasPending(_ isVisible: Bool) -> Bool { indicators.contains { $0.isPending(isVisible) } }

    mutating func attach(_ new: Attachment) -> Attachment {
        switch new.content {
        case .indicator(let indicator):
            if let index = indicators.firstIndex(where: { $0.indicator === indicator }) {
                indicators[index].isAttached = true
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
        indicators[index].isAttached = false
        return true
    }

    var attachments: [Attachment] { indicators.map(\.attachment) + monitors.values + others.values }

    /// If this method returns a delivery, the caller must make it, and then call ``end(_:)``.
    mutating func nextDelivery(_ isVisible: Bool) -> Delivery? {
        guard let index = indicators.firstIndex(where: { $0.isPending(isVisible) }) else { return nil }
        let observer = indicators[index]
        let value = observer.isAttached && isVisible
        if observer.isAttached {
            indicators[index].lastDelivered = value
        } else {
            indicators.remove(at: index)
        }
        if !value { deliveries += 1 }
        return (observer, observer.isAttached || observer.lastDelivered == true ? value : nil)
    }

    mutating func end(_ delivery: Delivery) { if delivery.value != true { deliveries -= 1 } }
}
