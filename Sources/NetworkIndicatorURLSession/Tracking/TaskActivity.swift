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
    let parkedTasks: ParkedTasks

    /// The longest time between `tracked()` and `resume()`. Until then, a poll doesn't end the suspended task.
    private static let timeToResume: Duration = .milliseconds(50)

    /// Begins a task of the manager, which lasts while the URLSession task runs. Idempotent.
    func begin(_ task: URLSessionTask) {
        let begin = parkedTasks.now()
        manager?.beganNetworkTask(
            withToken: task, label: label, fileID: origin.fileID, line: origin.line, reportsMisuse: false
        ) { task in
            switch task.state {
            case .running: return true
            case .suspended:
                let isNew = parkedTasks.now() - begin < Self.timeToResume
                parkedTasks.park(task, self, isCounted: isNew)
                return isNew
            default: return false
            }
        }
    }
}
