/// The attached indicators, and the value that each received last. Under the tracker's lock.
///
/// Deliveries are level-triggered: each indicator whose last value is not the present one gets it, one at a time, on the
/// main actor. So an indicator that calls the manager, or runs a nested run loop, cannot disturb the order of values.
struct VisibilityObservers {
    private struct Observer {
        let attachment: IndicatorAttachment
        var lastDelivered: Bool
        var isAttached = true
    }

    private(set) var isVisible = false
    /// Whether every observer has received the present value.
    private(set) var isUpToDate = true
    private var observers: [Observer] = []

    var count: Int { observers.count }

    /// Announces the value that follows, so that no wait ends before it.
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
            // It may be detached, and not switched off yet: then it just stays.
            observers[index].isAttached = true
            return observers[index].attachment
        }
        if lastDelivered != isVisible { isUpToDate = false }
        observers.append(Observer(attachment: new, lastDelivered: lastDelivered))
        return new
    }

    /// Removes an indicator; a visible one only after the delivery that switches it off.
    ///
    /// - Returns: The attachment, to be released after unlocking, unless it needs that delivery.
    mutating func detach(_ attachment: IndicatorAttachment) -> (released: IndicatorAttachment?, needsDelivery: Bool) {
        guard let index = observers.firstIndex(where: { $0.attachment === attachment }) else { return (nil, false) }
        guard observers[index].lastDelivered else { return (observers.remove(at: index).attachment, false) }
        observers[index].isAttached = false
        isUpToDate = false
        return (nil, true)
    }

    /// Returns an indicator whose last value is not the present one, and the value to deliver.
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
