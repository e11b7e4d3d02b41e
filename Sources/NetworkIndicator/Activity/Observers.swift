/// Stores the attached indicators, the last value that each received, and the other attachments. The tracker's lock
/// guards these values.
///
/// Deliveries to indicators are level-triggered: each indicator whose last value differs from the current value
/// receives the current value. Indicators receive it one at a time, on the main actor. The order of values stays the
/// same even if an indicator calls the manager or runs a nested run loop.
struct Observers: Sendable {
    typealias Attachment = NetworkIndicatorManager.Attachment

    struct Indicator: Sendable {
        let attachment: Attachment
        let indicator: any ActivityIndicator
        /// The value of the latest delivery; `nil` before the first delivery.
        var lastDelivered: Bool?
        var isAttached = true

        /// Returns whether the indicator has not received the current value. For a detached indicator, the current
        /// value is `false`.
        func isStale(_ isVisible: Bool) -> Bool {
            isAttached ? lastDelivered != isVisible : lastDelivered == true
        }
    }

    private(set) var indicators: [Indicator] = []
    private(set) var monitors: [Attachment] = []
    private(set) var streams: [Attachment] = []
    private(set) var trackings: [Attachment] = []
    /// The number of indicators, from the first, that have received the current value. Deliveries don't search these
    /// again.
    private var upToDateCount = 0
    /// The number of indicators whose last value is `true`.
    private var onCount = 0
    /// The number of deliveries whose `setVisible` call has not returned.
    private var deliveries = 0

    /// Whether every indicator is off and no delivery is in progress.
    var areOff: Bool { onCount == 0 && deliveries == 0 }

    /// Records that the current value has changed.
    mutating func changeValue() { upToDateCount = 0 }

    /// Adds an attachment, unless its indicator is already attached.
    ///
    /// - Returns: The existing attachment if the indicator is already attached, and `new` otherwise.
    mutating func attach(_ new: Attachment) -> Attachment {
        switch new.content {
        case .indicator(let indicator):
            guard let index = indicators.firstIndex(where: { $0.indicator === indicator }) else {
                indicators.append(Indicator(attachment: new, indicator: indicator))
                return new
            }
            // If the indicator was detached but not turned off yet, it becomes attached again.
            indicators[index].isAttached = true
            return indicators[index].attachment
        case .monitor: monitors.append(new)
        case .stream: streams.append(new)
        case .notifications: trackings.append(new)
        }
        return new
    }

    /// Removes an attachment, to which the caller holds a reference. If the indicator is on, ``nextDelivery(_:)``
    /// removes it later.
    ///
    /// - Returns: Whether a turn must turn the indicator off.
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

    /// Returns a stale indicator and the value to deliver. Call ``endDelivery()`` after the indicator's `setVisible`
    /// returns.
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

/// Describes an indicator and the value that it is about to receive.
struct Delivery: Sendable {
    let attachment: NetworkIndicatorManager.Attachment
    let indicator: any ActivityIndicator
    let value: Bool
}
