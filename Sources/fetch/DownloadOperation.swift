import Foundation
import NetworkIndicator

/// A download in an operation queue, and at the same time the token of its network task: the manager holds it weakly, and
/// would know by its end that the task is over. It is told earlier, since during the wait for a retry there is none.
///
/// `@unchecked Sendable`: what changes is behind the lock.
final class DownloadOperation: Operation, @unchecked Sendable {
    private enum State {
        case waiting, executing, finished
    }

    private let download: Download
    private let session: DownloadSession
    private let report: Report
    private let state = Lock(State.waiting)

    init(_ download: Download, session: DownloadSession, report: Report) {
        self.download = download
        self.session = session
        self.report = report
    }

    override var isAsynchronous: Bool { true }
    override var isExecuting: Bool { state.withLock { $0 == .executing } }
    override var isFinished: Bool { state.withLock { $0 == .finished } }

    override func start() {
        willChangeValue(for: \.isExecuting)
        state.withLock { $0 = .executing }
        didChangeValue(for: \.isExecuting)

        report.began()
        let start = ContinuousClock.now
        Task {
            let result = await session.fetch(download, token: self) { [self] in report.note($0, of: download) }
            report.ended(download, result, time: start.duration(to: .now))
            finish()
        }
    }

    private func finish() {
        willChangeValue(for: \.isExecuting)
        willChangeValue(for: \.isFinished)
        state.withLock { $0 = .finished }
        didChangeValue(for: \.isExecuting)
        didChangeValue(for: \.isFinished)
    }
}
