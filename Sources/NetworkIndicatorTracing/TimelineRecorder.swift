public import Foundation
public import NetworkIndicator

/// A monitor that records tasks and the indicator's visibility as a timeline, for <https://ui.perfetto.dev> and
/// `chrome://tracing`.
///
/// ```swift
/// let recorder = try TimelineRecorder(writingTo: URL(filePath: "run.json"))
/// manager.attach(monitor: recorder)
/// // … the run …
/// try recorder.finish()
/// ```
///
/// The indicator has one row. Each task appears in a row named after its label, or after the type of its token if there
/// is no label. After a task has ended, a later task with the same row name can reuse the row.
///
/// The file contains JSON in the Trace Event format. The JSON is valid after each write, so a killed program leaves a
/// usable file. A pipe needs a reader before the recorder is created, and gets the end of the JSON when the recorder
/// finishes. If the reader exits earlier, the next write raises SIGPIPE, which ends a program that doesn't ignore this
/// signal. In the timeline, a task ends when the recorder receives the `ended` event, which may be later than the
/// deallocation of the token.
///
/// The recorder is thread-safe, and writes events on a private queue. A slow disk delays only the recorder's
/// initializers, ``finish()`` and the recorder's deallocation. Attach a recorder to only one manager, because task
/// identifiers are unique only within a manager.
public final class TimelineRecorder: NetworkTaskMonitor {
    private let now: @Sendable () -> SuspendingClock.Instant
    private let origin: SuspendingClock.Instant
    private let rows = Lock(TimelineRows())
    private let file: TraceFile

    /// Creates the file, and a recorder whose timeline starts now.
    ///
    /// - Parameter url: The URL of the file to write. An existing file is overwritten.
    /// - Throws: ``TimelineError`` if the file can't be written.
    public convenience init(writingTo url: URL) throws(TimelineError) {
        try self.init(writingTo: url, now: { SuspendingClock().now })
    }

    /// Creates the file, and a recorder for a manager with a custom scheduler, such as the `ManualScheduler` of a test.
    ///
    /// - Parameters:
    ///   - url: The URL of the file to write. An existing file is overwritten.
    ///   - scheduler: The manager's scheduler. The timeline starts at the scheduler's current time.
    /// - Throws: ``TimelineError`` if the file can't be written.
    public convenience init(writingTo url: URL, scheduler: any ActivityScheduler) throws(TimelineError) {
        try self.init(writingTo: url, now: { scheduler.now })
    }

    private init(writingTo url: URL, now: @escaping @Sendable () -> SuspendingClock.Instant) throws(TimelineError) {
        self.now = now
        origin = now()
        file = try TraceFile(url: url)
        record { rows, _ in rows.addIndicator() }
    }

    deinit { try? finish() }

    /// Ends all open intervals in the timeline, writes the remaining events, and closes the file.
    ///
    /// The recorder ignores events after this call. This method is idempotent.
    ///
    /// - Throws: ``TimelineError`` if writing or closing the file failed, now or earlier.
    public func finish() throws(TimelineError) {
        record { rows, now in rows.finish(at: now) }
        try file.close()
    }

    public func receive(_ event: NetworkTaskEvent) {
        record { rows, now in
            switch event {
            case .began(let task):
                return rows.begin(task, at: microseconds(task.began))
            case .ended(let task, let end):
                // If the recorder was attached after the task began, it has not recorded the task's start.
                let begin = rows.contains(task) ? [] : rows.begin(task, at: microseconds(task.began))
                return begin + rows.end(task, end, at: now)
            case .stillRunning(let task):
                return rows.mark("still running", on: task, at: now)
            case .misuse(let misuse):
                return [rows.mark(misuse.description, inRow: TimelineRows.indicator, at: now)]
            case .visibilityChanged(true):
                return [rows.begin("on", inRow: TimelineRows.indicator, at: now)]
            case .visibilityChanged(false):
                return rows.end(row: TimelineRows.indicator, at: now)
            }
        }
    }

    // MARK: Writing

    package func flush() { file.flush() }

    private func microseconds(_ instant: SuspendingClock.Instant) -> Double {
        max(0, origin.duration(to: instant) / .microseconds(1))
    }

    private func record(_ events: (inout TimelineRows, Double) -> [TraceEvent]) {
        let now = microseconds(now())
        rows.withLock { rows in
            // `append` only enqueues the events, so calling it under the lock keeps their order without blocking.
            if !rows.isFinished { file.append(events(&rows, now)) }
        }
    }
}

/// An error that describes why the file of a timeline couldn't be written.
public struct TimelineError: LocalizedError, CustomStringConvertible {
    /// The URL of the file.
    public let url: URL
    /// The system's description of the failure.
    public let reason: String

    public var description: String { "cannot write the timeline to \(url.path(percentEncoded: false)): \(reason)" }

    public var errorDescription: String? { description }
}
