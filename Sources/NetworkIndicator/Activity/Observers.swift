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
        var lastDelivered: Bool
        var isAttached = true

        /// Whether it has not received the current value.
        func isStale(_ isVisible: Bool) -> Bool { lastDelivered != (isAttached && isVisible) }
    }

    private(set) var indicators: [Indicator] = []
    private(set) var monitors: [Attachment] = []
    private(set) var trackings: [Attachment] = []
    /// Deliveries whose `setVisible` has not returned.
    private var deliveries = 0

    /// Whether every indicator has received the current value, and its `setVisible` has returned.
    func isUpToDate(_ isVisible: Bool) -> Bool { deliveries == 0 && !indicators.contains { $0.isStale(isVisible) } }

    /// - Parameter lastDelivered: The value that the indicator already shows.
    /// - Returns: The attachment: the new one, unless the indicator is already attached.
    mutating func attach(_ new: Attachment, lastDelivered: Bool) -> Attachment {
        switch new.content {
        case .indicator(let indicator):
            if let index = indicators.firstIndex(where: { $0.indicator === indicator }) {
                // If a detached indicator is not switched off yet, it becomes attached again.
                indicators[index].isAttached = true
                return indicators[index].attachment
            }
            indicators.append(Indicator(attachment: new, indicator: indicator, lastDelivered: lastDelivered))
        case .monitor: monitors.append(new)
        case .notifications: trackings.append(new)
        }
        return new
    }

    /// Removes an attachment, which the caller holds. A visible indicator is removed by ``nextDelivery(_:)`` only.
    ///
    /// - Returns: Whether a turn must switch the indicator off.
    mutating func detach(_ attachment: Attachment) -> Bool {
        monitors.removeAll { $0 === attachment }
        trackings.removeAll { $0 === attachment }
        guard let index = indicators.firstIndex(where: { $0.attachment === attachment }) else { return false }
        indicators[index].isAttached = false
        guard !indicators[index].lastDelivered else { return true }
        indicators.remove(at: index)
        return false
    }

    /// Returns a stale indicator, whose `lastDelivered` is the value to deliver. Call ``endDelivery()`` when its
    /// `setVisible` has returned.
    mutating func nextDelivery(_ isVisible: Bool) -> Indicator? {
        guard let index = indicators.firstIndex(where: { $0.isStale(isVisible) }) else { return nil }
        indicators[index].lastDelivered.toggle()
        deliveries += 1
        return indicators[index].isAttached ? indicators[index] : indicators.remove(at: index)
    }

    mutating func endDelivery() { deliveries -= 1 }
}
