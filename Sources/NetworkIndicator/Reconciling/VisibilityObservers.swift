/// The attached indicators, and the value that each received last. The tracker's lock guards them.
///
/// Deliveries are level-triggered: each indicator whose last value differs from the current one receives the current
/// value, one at a time, on the main actor. An indicator that calls the manager, or runs a nested run loop, can't
/// change the order of values.
struct VisibilityObservers {
    struct Observer {
        let attachment: IndicatorAttachment
        var lastDelivered: Bool
        var isAttached = true
    }

    private(set) var isVisible = false
    /// Whether every observer has received the current value.
    private(set) var isUpToDate = true
    private(set) var observers: [Observer] = []

    /// Announces the next value, so that no waiter resumes before its delivery.
    mutating func expect(_ isVisible: Bool) {
        if isVisible != self.isVisible { isUpToDate = false }
    }

    /// - Returns: Whether this changed the value.
    mutating func setVisible(_ isVisible: Bool) -> Bool {
        guard isVisible != self.isVisible else { return false }
        self.isVisible = isVisible
        isUpToDate = false
        return true
    }

    mutating func attach(_ new: IndicatorAttachment, lastDelivered: Bool = false) -> IndicatorAttachment {
        if let index = observers.firstIndex(where: { $0.attachment.indicator === new.indicator }) {
            // If a detached indicator is not switched off yet, it becomes attached again.
            observers[index].isAttached = true
            return observers[index].attachment
        }
        if lastDelivered != isVisible { isUpToDate = false }
        observers.append(Observer(attachment: new, lastDelivered: lastDelivered))
        return new
    }

    /// Removes an indicator. A visible one is removed only when `takeDelivery` returns its last delivery.
    ///
    /// - Returns: The attachment, to be released after unlocking, unless it needs that delivery.
    mutating func detach(_ attachment: IndicatorAttachment) -> (released: IndicatorAttachment?, needsDelivery: Bool) {
        guard let index = observers.firstIndex(where: { $0.attachment === attachment }) else { return (nil, false) }
        guard observers[index].lastDelivered else { return (observers.remove(at: index).attachment, false) }
        observers[index].isAttached = false
        isUpToDate = false
        return (nil, true)
    }

    /// Returns an indicator whose last value differs from the current one, and the value to deliver.
    mutating func takeDelivery() -> (indicator: any ActivityIndicator, isVisible: Bool)? {
        guard let index = observers.firstIndex(where: { $0.lastDelivered != ($0.isAttached && isVisible) }) else {
            isUpToDate = true
            return nil
        }
        observers[index].lastDelivered.toggle()
        let observer = observers[index]
        if !observer.isAttached { observers.remove(at: index) }
        return (observer.attachment.indicator, observer.lastDelivered)
    }

    /// Removes every indicator, and returns it with the last value that it received.
    mutating func detachAll() -> [(attachment: IndicatorAttachment, lastDelivered: Bool)] {
        defer { observers = [] }
        return observers.map { ($0.attachment, $0.lastDelivered) }
    }
}
