/// Creates tasks in a tracked session that don't turn the indicator on, for example for an autosave.
///
/// ```swift
/// let task = withoutTracking { session.dataTask(with: url) }
/// task.resume()
/// ```
///
/// A session that `URLSession.tracked(configuration:delegate:delegateQueue:manager:fileID:line:where:)` created doesn't
/// track a task that the closure creates, even if it is resumed later. Calls such as `trackedData(for:)` of
/// `NetworkIndicatorTransfers` aren't tracked and post no notifications, but they still repeat requests. Explicit
/// calls, such as `tracked()` and `beganNetworkTask()`, track as usual. The function returns the value that the closure
/// returns, and throws its error.
public func withoutTracking<R>(_ body: () throws -> R) rethrows -> R {
    try SessionTracking.$isEnabled.withValue(false, operation: body)
}

/// Runs an asynchronous closure whose requests don't turn the indicator on, for example because the spinner of
/// `.refreshable` shows them.
///
/// ```swift
/// let (data, _) = try await withoutTracking {
///     try await session.data(from: url)
/// }
/// ```
///
/// The closure's child tasks, and the unstructured tasks that it creates with `Task { }`, don't turn the indicator on
/// either. Detached tasks do. By default, the function has the caller's isolation.
/// In all other respects, it is like the synchronous one.
public func withoutTracking<R>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> R
) async rethrows -> R {
    try await SessionTracking.$isEnabled.withValue(false, operation: body, isolation: isolation)
}
