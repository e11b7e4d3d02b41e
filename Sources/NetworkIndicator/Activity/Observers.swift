/// The attached indicators, monitors and streams, and the observations of notifications.
///
/// Deliveries are level-triggered: an attached indicator receives the current value unless the last value that it
/// received is the same.
struct Observers: Sendable {
    typealias Attachment = NetworkIndicatorManager.Attachment

    struct Indicator: Sendable {
        let number: Int
        let attachment: Attachment
        let indicator: any ActivityIndicator
        /// The value that the indicator received last, or that it is about to receive.
        var lastDelivered: Bool?
        var isAttached = true

    }

    /// What an indicator is about to receive.
    struct Delivery {
        let observer: Indicator
        /// This is `nil` if the indicator only learns that it was detached.
        let value: Bool?
    }

    private(set) var indicators: [ObjectIdentifier: Indicator] = [:]
    private(set) var monitors: [ObjectIdentifier: Attachment] = [:]
    private(set) var streams: [ObjectIdentifier: Attachment] = [:]
    private(set) var notifications: [ObjectIdentifier: Attachment] = [:]
    /// The indicators that may not have received the current value.
    private var pending: [ObjectIdentifier] = []
    private var attachCount = 0
    /// The number of indicators that are being turned off.
    private var deliveries = 0

    var areOff: Bool { deliveries == 0 && !indicators.values.contains { $0.lastDelivered == true } }
    var hasPending: Bool { !pending.isEmpty }

    /// Indicators receive a change in the order in which they were attached.
    mutating func changeValue() {
        pending = indicators.map { (key: $0, number: $1.number) }.sorted { $0.number > $1.number }.map(\.key)
    }

    mutating func attach(_ new: Attachment) -> Attachment {
        let key = ObjectIdentifier(new)
        switch new.content {
        case .indicator(let indicator):
            let key = ObjectIdentifier(indicator)
            pending.append(key)
            // A detached indicator stays in the dictionary until a turn has notified it.
            attachCount += 1
            indicators[key, default: Indicator(number: attachCount, attachment: new, indicator: indicator)].isAttached =
                true
            return indicators[key]?.attachment ?? new
        case .monitor: monitors[key] = new
        case .stream: streams[key] = new
        case .notifications: notifications[key] = new
        }
        return new
    }

    /// Returns whether a turn must notify the indicator. The caller holds the attachment, so removing it deallocates
    /// nothing while the lock is held.
    mutating func detach(_ attachment: Attachment) -> Bool {
        let key = ObjectIdentifier(attachment)
        switch attachment.content {
        case .indicator(let indicator):
            let key = ObjectIdentifier(indicator)
            guard indicators[key]?.attachment === attachment else { return false }
            indicators[key]?.isAttached = false
            pending.append(key)
            return true
        case .monitor: return monitors.removeValue(forKey: key) != nil
        case .stream: streams[key] = nil
        case .notifications: notifications[key] = nil
        }
        return false
    }

    /// - Returns: The attachments of the monitors and of the observations of notifications.
    mutating func removeAll() -> [Attachment] {
        for key in indicators.keys { indicators[key]?.isAttached = false }
        changeValue()
        defer { (monitors, notifications) = ([:], [:]) }
        return Array(monitors.values) + notifications.values
    }

    /// If this method returns a delivery, the caller must make it, and then call ``end(_:)``. After the value `true`,
    /// that call is optional.
    mutating func nextDelivery(_ isVisible: Bool) -> Delivery? {
        while let key = pending.popLast() {
            guard let observer = indicators[key] else { continue }
            let value = observer.isAttached && isVisible
            let isStale = observer.isAttached ? observer.lastDelivered != isVisible : observer.lastDelivered == true
            guard isStale || !observer.isAttached else { continue }
            if observer.isAttached { indicators[key]?.lastDelivered = value } else { indicators[key] = nil }
            if !value { deliveries += 1 }
            return Delivery(observer: observer, value: isStale ? value : nil)
        }
        return nil
    }

    mutating func end(_ delivery: Delivery) { if delivery.value != true { deliveries -= 1 } }
}
