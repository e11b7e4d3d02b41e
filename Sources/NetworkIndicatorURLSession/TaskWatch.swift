import Foundation
import NetworkIndicator

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Watches a URLSession task that somebody else resumes, suspends and cancels.
///
/// A task that is never resumed, or is suspended, or has ended but is still held, uses no network: its life alone says
/// nothing. Its state does, but on Linux it cannot be observed, only asked for.
struct TaskWatch {
    weak var task: URLSessionTask?
    weak var manager: NetworkIndicatorManager?
    let timing: RetryTiming

    private static let shortestInterval: Duration = .milliseconds(10)

    /// Asks, soon after each change and then less and less often, until the task has ended, or it or the manager is gone.
    func run() async {
        var token: NetworkTaskToken?
        var interval = Self.shortestInterval
        while let isRunning {
            if isRunning != (token != nil) {
                token?.finish()
                token = isRunning ? manager?.beganNetworkTask(label: "URLSessionTask") : nil
                interval = Self.shortestInterval
            }
            guard (try? await timing.sleep(interval)) != nil, let longest = manager?.completionCheckInterval else {
                break
            }
            interval = min(interval * 2, max(Self.shortestInterval, longest))
        }
        token?.finish()
    }

    /// `nil` when there is nothing left to watch.
    private var isRunning: Bool? {
        switch task?.state {
        case .running: true
        case .suspended: false
        case .canceling, .completed, nil: nil
        @unknown default: nil
        }
    }
}
