/// Deliveries are level-triggered: an attached indicator receives the current value unless the last value that it
/// received is the same.
struct Observers: Sendable {
    typealias Attachment = NetworkIndicatorManager.Attachment

    struct Indicator: Sendable {
        let attachment: Attachment
        let indicator: any ActivityIndicator
        var lastDelivered: Bool?
        var isAttached = true

        /// A detached indicator that is on must still receive `false`.
        func isStale(_ isVisible: Bool) -> Bool {
            isAttached ? lastDelivered != isVisible : lastDelivered == true
        }
    }

    private(set) var indicators: [Indicator] = []
    private(set) var monitors: [Attachment] = []
    private(set) var streams: [Attachment] = []
    private(set) var trackings: [Attachment] = []
    private var upToDateCount = 0
    private var onCount = 0
    private var deliveries = 0

    var areOff: Bool { onCount == 0 && deliveries == 0 }

    mutating func changeValue() { upToDateCount = 0 }

    mutating func attach(_ new: Attachment) -> Attachment {
        switch new.content {
        case .indicator(let indicator):
            guard let index = indicators.firstIndex(where: { $0.indicator === indicator }) else {
                indicators.append(Indicator(attachment: new, indicator: indicator))
                return new
            }
            // A detached indicator that is on stays in the array until a turn turns it off.
            indicators[index].isAttached = true
            return indicators[index].attachment
        case .monitor: monitors.append(new)
        case .stream: streams.append(new)
        case .notifications: trackings.append(new)
        }
        return new
    }

    /// Returns whether a turn must turn the indicator off. The caller holds the attachment, so removing it deallocates
    /// nothing while the lock is held.
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

    /// If this method returns a delivery, the caller must call ``endDelivery()`` after `setVisible(_:)` has returned.
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

struct Delivery: Sendable {
    let attachment: NetworkIndicatorManager.Attachment
    let indicator: any ActivityIndicator
    let value: Bool
}
