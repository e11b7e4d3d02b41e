/// The attached indicators with the value that each received last, and the other attachments. The tracker's lock guards
/// them.
///
/// Deliveries to indicators are level-triggered. Each indicator whose last value differs from the current one receives
/// the current value. One indicator at a time receives it, on the main actor. An indicator that calls the manager, or
/// runs a nested run loop, can't change the order of values.
struct Observers: Sendable {
    typealias Attachment = NetworkIndicatorManager.Attachment

    struct Indicator: Sendable {
        let attachment: Attachment
        let indicator: any ActivityIndicator
        /// `nil` until it receives the first value.
        var lastDelivered: Bool?
        var isAttached = true

        /// Whether it has not received the current value.
        func isStale(_ isVisible: Bool) -> Bool {
            isAttached ? lastDelivered != isVisible : lastDelivered == true
        }
    }

    private(set) var indicators: [Indicator] = []
    private(set) var monitors: [Attachment] = []
    private(set) var streams: [Attachment] = []
    private(set) var trackings: [Attachment] = []
    /// The indicators at lower indices have received the current value, so no delivery searches all indicators.
    private var upToDateCount = 0
    /// Indicators whose last value is `true`.
    private var onCount = 0
    /// Deliveries whose `setVisible` has not returned.
    private var deliveries = 0

    /// Whether no indicator is on.
    var areOff: Bool { onCount == 0 && deliveries == 0 }

    /// Records that the current value has changed.
    mutating func changeValue() { upToDateCount = 0 }

    /// - Returns: The attachment: the new one, unless the indicator is already attached.
    mutating func attach(_ new: Attachment) -> Attachment {
        switch new.content {
        case .indicator(let indicator):
            guard let index = indicators.firstIndex(where: { $0.indicator === indicator }) else {
                indicators.append(Indicator(attachment: new, indicator: indicator))
                return new
            }
            // If a detached indicator is not switched off yet, it becomes attached again.
            indicators[index].isAttached = true
            return indicators[index].attachment
        case .monitor: monitors.append(new)
        case .stream: streams.append(new)
        case .notifications: trackings.append(new)
        }
        return new
    }

    /// Removes an attachment, which the caller holds. A visible indicator is removed by ``nextDelivery(_:)`` only.
    ///
    /// - Returns: Whether a turn must switch the indicator off.
    mutating func detach(_ attachment: Attachment) -> Bool {
        monitors.removeAll { $0 === attachment }
        streams.removeAll { $0 === attachment }
        trackings.removeAll { $0 === attachment }
        guard let index = indicators.firstIndex(where: { $0.attachment === attachment }) else { return false }
        indicators[index].isAttached = false
        if indicators[index].lastDelivered == true {
            upToDateCount = min(upToDateCount, index)
            return true
        }
        removeIndicator(at: index)
        return false
    }

    private mutating func removeIndicator(at index: Int) {
        indicators.remove(at: index)
        if index < upToDateCount { upToDateCount -= 1 }
    }

    /// Returns a stale indicator and the value to deliver. Call ``endDelivery()`` when its `setVisible` has returned.
    mutating func nextDelivery(_ isVisible: Bool) -> Delivery? {
        while upToDateCount < indicators.count {
            var next = indicators[upToDateCount]
            guard next.isStale(isVisible) else {
                upToDateCount += 1
                continue
            }
            deliveries += 1
            let value = next.isAttached && isVisible
            onCount += value ? 1 : next.lastDelivered == true ? -1 : 0
            next.lastDelivered = value
            if next.isAttached {
                indicators[upToDateCount] = next
                upToDateCount += 1
            } else {
                removeIndicator(at: upToDateCount)
            }
            return Delivery(attachment: next.attachment, indicator: next.indicator, value: value)
        }
        return nil
    }

    mutating func endDelivery() { deliveries -= 1 }
}

/// A value that an indicator is about to receive.
struct Delivery: Sendable {
    let attachment: NetworkIndicatorManager.Attachment
    let indicator: any ActivityIndicator
    let value: Bool
}
