/// The condition of a task. It is a caller's code, so it is neither called nor released under a lock.
typealias TaskCondition = @Sendable (AnyObject) -> Bool

/// A task that lasts as long as a caller's object, and as long as its condition is true.
struct WeakTask {
    let key: ObjectIdentifier
    let condition: TaskCondition?
    var record: TaskRecord
}
