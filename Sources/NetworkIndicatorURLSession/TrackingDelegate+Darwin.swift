#if canImport(ObjectiveC)
import Foundation

extension URLSession {
    static func makeTracked(
        configuration: URLSessionConfiguration, delegate: (any URLSessionDelegate)?, delegateQueue: OperationQueue?,
        tracking: SessionTracking
    ) -> URLSession {
        URLSession(
            configuration: configuration, delegate: TrackingDelegate(delegate, tracking: tracking),
            delegateQueue: delegateQueue)
    }
}

final class TrackingDelegate: NSObject, URLSessionTaskDelegate {
    private let tracking: SessionTracking
    private let delegate: (any URLSessionDelegate)?

    init(_ delegate: (any URLSessionDelegate)?, tracking: SessionTracking) {
        self.delegate = delegate
        self.tracking = tracking
    }

    /// The session calls this method before it returns the task, so the task is tracked before any code can resume it.
    func urlSession(_ session: URLSession, didCreateTask task: URLSessionTask) {
        tracking.track(task)
        (delegate as? any URLSessionTaskDelegate)?.urlSession?(session, didCreateTask: task)
    }

    func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask) {
        tracking.noteWaiting(task)
        (delegate as? any URLSessionTaskDelegate)?.urlSession?(session, taskIsWaitingForConnectivity: task)
    }

    // `URLSession` calls only the optional methods that its delegate responds to.
    override func responds(to selector: Selector!) -> Bool {
        super.responds(to: selector) || delegate?.responds(to: selector) == true
    }

    override func conforms(to aProtocol: Protocol) -> Bool {
        super.conforms(to: aProtocol) || delegate?.conforms(to: aProtocol) == true
    }

    override func forwardingTarget(for selector: Selector!) -> Any? {
        delegate?.responds(to: selector) == true ? delegate : super.forwardingTarget(for: selector)
    }
}
#endif
