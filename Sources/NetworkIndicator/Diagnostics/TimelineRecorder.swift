public import Foundation

/// A monitor that records tasks and indicator as a timeline, for <https://ui.perfetto.dev> and `chrome://tracing`.
///
/// ```swift
/// let recorder = try TimelineRecorder(writingTo: URL(filePath: "run.json"))
/// manager.addMonitor(recorder)
/// // … the run …
/// try recorder.finish()
/// ```
///
/// The indicator has a row, and each task one that bears its label, or the type of its token: a later task of the same
/// name takes over the row. The file (JSON in the Trace Event format) is complete after each event, even when the
/// program is killed. Ends are as late as they are noticed.
///
/// Each event is a write to the file, on the thread that delivers it. Use a recorder for one manager only.
public final class TimelineRecorder: NetworkTaskMonitor {
    private struct State {
        var file: TraceFile?
        var error: TimelineError?
        var rows = TimelineRows()
    }

    private let url: URL
    private let now: @Sendable () -> SuspendingClock.Instant
    private let origin: SuspendingClock.Instant
    private let state: Lock<State>

    /// Makes a recorder; times count from now on.
    ///
    /// - Parameter url: The file, which is replaced if there is one.
    /// - Throws: ``TimelineError`` where the file cannot be written.
    public convenience init(writingTo url: URL) throws(TimelineError) {
        try self.init(writingTo: url, now: { SuspendingClock().now })
    }

    /// - Parameter now: The clock of the manager's scheduler.
    package init(
        writingTo url: URL, now: @escaping @Sendable () -> SuspendingClock.Instant
    ) throws(TimelineError) {
        self.url = url
        self.now = now
        origin = now()
        let file: TraceFile
        do { file = try TraceFile(url: url) } catch { throw TimelineError(url, error) }
        state = Lock(State(file: file))
        record { rows, _ in rows.addIndicator() }
    }

    deinit { try? finish() }

    /// Ends what is still going on, and closes the file. What happens afterwards is not recorded. Any thread; idempotent.
    ///
    /// - Throws: ``TimelineError`` where the file could not be written, now or earlier.
    public func finish() throws(TimelineError) {
        record { rows, now in rows.endAll(at: now) }
        let error = state.withLock { state in
            do { try state.file?.close() } catch { state.error = state.error ?? TimelineError(url, error) }
            state.file = nil
            return state.error
        }
        if let error { throw error }
    }

    public func networkIndicator(_ event: NetworkTaskEvent) {
        record { rows, now in
            switch event {
            case .began(let task):
                return rows.begin(task, at: microseconds(task.began))
            case .ended(let task, let end):
                // The recorder may have come after the task.
                let begin = rows.knows(task) ? [] : rows.begin(task, at: microseconds(task.began))
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

    // MARK: What is no task

    /// Something that takes time in the row of a label, and is no task.
    package struct Wait: Sendable {
        fileprivate let recorder: TimelineRecorder
        fileprivate let wait: TimelineRows.Wait?

        /// Ends the wait, if no task of this label has done so.
        package func end() {
            guard let wait else { return }
            recorder.record { rows, now in rows.endWait(wait, at: now) }
        }
    }

    /// Begins a wait in a row that bears the label and is free, such as that of a download whose attempt has ended. It
    /// lasts until a task of this label begins, at the latest.
    package func beginWait(_ name: String, inRowOf label: String) -> Wait {
        var begun: TimelineRows.Wait?
        record { rows, now in
            let (wait, events) = rows.beginWait(name, inRowOf: label, at: now)
            begun = wait
            return events
        }
        return Wait(recorder: self, wait: begun)
    }

    // MARK: Writing

    private func microseconds(_ instant: SuspendingClock.Instant) -> Double {
        max(0, origin.duration(to: instant) / .microseconds(1))
    }

    private func record(_ events: (inout TimelineRows, Double) -> [TraceEvent]) {
        let now = microseconds(now())
        state.withLock { state in
            guard state.file != nil, state.error == nil else { return }
            let events = events(&state.rows, now)
            do { try state.file?.append(events) } catch { state.error = TimelineError(url, error) }
        }
    }
}

/// A timeline that could not be written.
public struct TimelineError: Error, CustomStringConvertible {
    /// The file.
    public let url: URL
    /// What the system said.
    public let reason: String

    init(_ url: URL, _ error: any Error) {
        self.url = url
        reason = error.localizedDescription
    }

    public var description: String { "cannot write the timeline to \(url.path(percentEncoded: false)): \(reason)" }
}
