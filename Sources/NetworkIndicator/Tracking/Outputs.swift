/// Who is told of the indicator, and what each was told last. Under the tracker's lock.
///
/// Deliveries are level-triggered: whoever has not heard the present truth is told it, one at a time, on the main
/// actor, until nobody is left. So an indicator that calls the manager, or runs a nested run loop, while it is being
/// told, cannot bring anybody's values out of order.
struct Outputs {
    enum Output {
        case indicator(IndicatorAttachment)
        case stream(AsyncStream<Bool>.Continuation)
    }

    private struct Recipient {
        let id: ObjectIdentifier
        let output: Output
        var told: Bool
        var isAttached = true
    }

    /// What is true.
    var isVisible = false {
        didSet { if isVisible != oldValue { hasEverybodyHeard = false } }
    }
    /// Whether nobody is left to be told of it.
    private(set) var hasEverybodyHeard = true
    private var recipients: [Recipient] = []

    var count: Int { recipients.count }

    mutating func attach(_ new: IndicatorAttachment) -> IndicatorAttachment {
        for index in recipients.indices {
            guard case .indicator(let attachment) = recipients[index].output,
                attachment.indicator === new.indicator
            else { continue }
            // Detached and not yet told that it is off: it stays as it is, and nothing need be told.
            recipients[index].isAttached = true
            return attachment
        }
        recipients.append(Recipient(id: ObjectIdentifier(new), output: .indicator(new), told: false))
        return new
    }

    /// The present value, and then every change. The stream is nobody's yet: this first yield runs nothing.
    mutating func attach(_ stream: AsyncStream<Bool>.Continuation, id: ObjectIdentifier) {
        stream.yield(isVisible)
        recipients.append(Recipient(id: id, output: .stream(stream), told: isVisible))
    }

    /// - Returns: What to release outside the lock, and whether it has to be switched off yet.
    mutating func detach(id: ObjectIdentifier) -> (released: Output?, needsDelivery: Bool) {
        guard let index = recipients.firstIndex(where: { $0.id == id }) else { return (nil, false) }
        if case .indicator = recipients[index].output, recipients[index].told {
            recipients[index].isAttached = false
            return (nil, true)
        }
        return (recipients.remove(at: index).output, false)
    }

    /// Somebody who has not heard the truth yet, and what to tell him.
    mutating func nextDelivery() -> (output: Output, value: Bool)? {
        let index = recipients.firstIndex { $0.told != ($0.isAttached && isVisible) }
        guard let index else {
            hasEverybodyHeard = true
            return nil
        }
        recipients[index].told.toggle()
        let recipient = recipients[index]
        if !recipient.isAttached { recipients.remove(at: index) }
        return (recipient.output, recipient.told)
    }

    /// Detaches everybody at the end of the manager; hands them out with what each was told last.
    mutating func detachAll() -> [(output: Output, told: Bool)] {
        defer { recipients = [] }
        return recipients.map { ($0.output, $0.told) }
    }
}
