import Dispatch
import NetworkIndicator

#if canImport(FoundationNetworking)
public import FoundationNetworking
#else
public import Foundation
#endif

extension TransferMeter.Transfer {
    /// Shows the progress of a URLSession task, also of a background session, until the task ends.
    ///
    /// ```swift
    /// let meter = TransferMeter()
    /// let task = session.downloadTask(with: url)
    /// meter.beginTransfer(label: "atlas.zip").follow(task)
    /// task.resume()
    /// ```
    ///
    /// An upload task shows the bytes that it sends, and any other task those that it receives. The transfer starts
    /// with the first byte, or when the total becomes known, and finishes after the task has ended or was deallocated.
    /// Follow one task with a transfer.
    ///
    /// The bytes are read ten times a second while they change, and at least once a second. Until the task has ended,
    /// the transfer and a running task remain in memory. To know when the task has ended, use the session's delegate.
    ///
    /// On Linux, URLSession counts only the received bytes of downloads without a completion handler.
    public func follow(_ task: URLSessionTask) { follow(task, after: .milliseconds(100)) }

    /// URLSession releases a task that has ended. Without `running`, the last bytes would be lost.
    private func follow(_ task: URLSessionTask, after interval: Duration, isRunning: Bool = true) {
        let running = isRunning ? task : nil
        meter.clock.schedule(after: interval, on: .global()) { [weak task] in
            defer { withExtendedLifetime(running) {} }
            guard let task else { return self.finish() }
            guard let old = self.meter.state.withLock({ $0.totals.open[self.id]?.progress }) else { return }
            let isOver = task.state == .completed
            let new = TransferProgress(task, isComplete: isOver && task.error == nil)
            if new != old { self.update(new) }
            if isOver { return self.finish() }
            let next = new == old ? min(interval * 2, .seconds(1)) : .milliseconds(100)
            self.follow(task, after: next, isRunning: task.state == .running)
        }
    }
}

extension TransferProgress {
    fileprivate init(_ task: URLSessionTask, isComplete: Bool) {
        let (completed, total) =
            task is URLSessionUploadTask
            ? (task.countOfBytesSent, task.countOfBytesExpectedToSend)
            : (task.countOfBytesReceived, task.countOfBytesExpectedToReceive)
        // Before the response, URLSession expects zero bytes.
        self.init(completedBytes: completed, totalBytes: isComplete ? completed : total > 0 ? total : nil)
    }
}
