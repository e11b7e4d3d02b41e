import Foundation
import NetworkIndicator

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The tracking of a URLSession task by one manager.
struct TaskActivity: Sendable {
    weak var manager: NetworkIndicatorManager?
    let label: String?
    let origin: CallSite
    var parkedTasks = ParkedTasks.shared

    /// How long a suspended task counts after `tracked()`, so that a poll doesn't end it before its `resume()`.
    private static let timeToResume: Duration = .milliseconds(50)

    /// Ends the task of the manager while the system waits for a network. It begins again with the first sign of life.
    func wait(_ task: URLSessionTask) {
        manager?.finishedNetworkTask(ifToken: task, origin: origin)
        parkedTasks.park(task, self, isWaiting: true)
    }

    /// Begins a task of the manager, which lasts while the URLSession task runs. Idempotent.
    func begin(_ task: URLSessionTask) {
        let begin = parkedTasks.now()
        manager?.beganNetworkTask(
            withToken: task, label: label, origin: origin, reportsMisuse: false
        ) { task in
            switch task.state {
            case .running: return true
            case .suspended:
                let isNew = parkedTasks.now() - begin < Self.timeToResume
                parkedTasks.park(task, self)
                return isNew
            default: return false
            }
        }
    }
}
