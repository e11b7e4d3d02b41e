/// The activity count: tasks without an identity.
///
/// Without a monitor it is a number, and the task that raised it from zero is remembered for it. With one, each
/// increment is a task of its own. A decrement ends the latest, those that no monitor heard of first: nobody is told of
/// the end of a task that still stands for the count.
struct CountedTasks {
    private(set) var count = 0
    /// The task that raised it from zero, where that was not recorded.
    private var first: NetworkTaskInfo?
    private var recorded: [NetworkTaskInfo] = []

    /// What stands for the count when somebody asks what keeps the indicator on.
    var tasks: [NetworkTaskInfo] {
        var copy = self
        return copy.look(longRunningBefore: nil).map { $0.0 }
    }

    /// One more, where that is no more than a number: above zero, and unrecorded.
    @inline(__always)
    mutating func incrementFurther() -> Bool {
        if count > 0 { count += 1 }
        return count > 0
    }

    /// One less, where that is no more than a number: it stays above zero, and nothing is recorded.
    @inline(__always)
    mutating func decrementFurther() -> Bool {
        guard count > 1, recorded.isEmpty else { return false }
        count -= 1
        return true
    }

    mutating func increment(_ info: NetworkTaskInfo, isRecording: Bool) {
        if isRecording {
            recorded.append(info)
        } else if count == 0 {
            first = info
        }
        count += 1
    }

    /// Ends an increment; hands out what was recorded of it.
    mutating func decrement() -> NetworkTaskInfo? {
        count -= 1
        if count == 0 { first = nil }
        return recorded.count > count ? recorded.popLast() : nil
    }

    /// The tasks, and which of them began before `limit` and are marked as long-running now.
    mutating func look(longRunningBefore limit: Timestamp?) -> [(NetworkTaskInfo, Bool)] {
        var seen: [(NetworkTaskInfo, Bool)] = []
        if recorded.count < count, first != nil {
            let isMarked = first!.markAsLongRunning(before: limit)
            seen.append((first!, isMarked))
        }
        for index in recorded.indices {
            let isMarked = recorded[index].markAsLongRunning(before: limit)
            seen.append((recorded[index], isMarked))
        }
        return seen
    }
}
