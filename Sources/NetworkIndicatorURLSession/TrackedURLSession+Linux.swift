#if !canImport(ObjectiveC)
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension URLSession {
    static func makeTracked(
        configuration: URLSessionConfiguration, delegate: (any URLSessionDelegate)?, delegateQueue: OperationQueue?,
        tracking: SessionTracking
    ) -> URLSession {
        TrackedURLSession(
            configuration: configuration, delegate: delegate, delegateQueue: delegateQueue, tracking: tracking)
    }
}

/// On Linux, URLSession doesn't call `urlSession(_:didCreateTask:)`, so this class overrides the methods that create
/// data, upload and download tasks.
///
/// A task stays in the state `.running` until its completion handler returns. This class therefore stops tracking the
/// task before it calls the handler.
// `@unchecked Sendable`, like `URLSession`: the only added property is constant.
final class TrackedURLSession: URLSession, @unchecked Sendable {
    private let tracking: SessionTracking

    init(
        configuration: URLSessionConfiguration, delegate: (any URLSessionDelegate)?, delegateQueue: OperationQueue?,
        tracking: SessionTracking
    ) {
        self.tracking = tracking
        super.init(configuration: configuration, delegate: delegate, delegateQueue: delegateQueue)
    }

    typealias Handler<Result> = @Sendable (Result?, URLResponse?, (any Error)?) -> Void

    // `@unchecked Sendable`: the reference is assigned before the caller receives the task, and read only when the task
    // completes.
    private final class TaskReference: @unchecked Sendable {
        weak var task: URLSessionTask?
    }

    private func tracked<T: URLSessionTask>(_ task: T) -> T {
        tracking.track(task)
        return task
    }

    private func tracked<T: URLSessionTask, Result>(
        _ handler: @escaping Handler<Result>, _ makeTask: (@escaping Handler<Result>) -> T
    ) -> T {
        let reference = TaskReference()
        let task = makeTask { [tracking] result, response, error in
            if let task = reference.task { tracking.end(task) }
            handler(result, response, error)
        }
        reference.task = task
        return tracked(task)
    }

    // MARK: Data

    override func dataTask(with request: URLRequest) -> URLSessionDataTask {
        tracked(super.dataTask(with: request))
    }

    override func dataTask(with url: URL) -> URLSessionDataTask {
        tracked(super.dataTask(with: url))
    }

    override func dataTask(with request: URLRequest, completionHandler: @escaping Handler<Data>) -> URLSessionDataTask {
        tracked(completionHandler) { super.dataTask(with: request, completionHandler: $0) }
    }

    override func dataTask(with url: URL, completionHandler: @escaping Handler<Data>) -> URLSessionDataTask {
        tracked(completionHandler) { super.dataTask(with: url, completionHandler: $0) }
    }

    // MARK: Uploads

    override func uploadTask(with request: URLRequest, fromFile fileURL: URL) -> URLSessionUploadTask {
        tracked(super.uploadTask(with: request, fromFile: fileURL))
    }

    override func uploadTask(with request: URLRequest, from bodyData: Data) -> URLSessionUploadTask {
        tracked(super.uploadTask(with: request, from: bodyData))
    }

    override func uploadTask(withStreamedRequest request: URLRequest) -> URLSessionUploadTask {
        tracked(super.uploadTask(withStreamedRequest: request))
    }

    override func uploadTask(
        with request: URLRequest, fromFile fileURL: URL, completionHandler: @escaping Handler<Data>
    ) -> URLSessionUploadTask {
        tracked(completionHandler) { super.uploadTask(with: request, fromFile: fileURL, completionHandler: $0) }
    }

    override func uploadTask(
        with request: URLRequest, from bodyData: Data?, completionHandler: @escaping Handler<Data>
    ) -> URLSessionUploadTask {
        tracked(completionHandler) { super.uploadTask(with: request, from: bodyData, completionHandler: $0) }
    }

    // MARK: Downloads

    override func downloadTask(with request: URLRequest) -> URLSessionDownloadTask {
        tracked(super.downloadTask(with: request))
    }

    override func downloadTask(with url: URL) -> URLSessionDownloadTask {
        tracked(super.downloadTask(with: url))
    }

    override func downloadTask(withResumeData resumeData: Data) -> URLSessionDownloadTask {
        tracked(super.downloadTask(withResumeData: resumeData))
    }

    override func downloadTask(
        with request: URLRequest, completionHandler: @escaping Handler<URL>
    ) -> URLSessionDownloadTask {
        tracked(completionHandler) { super.downloadTask(with: request, completionHandler: $0) }
    }

    override func downloadTask(with url: URL, completionHandler: @escaping Handler<URL>) -> URLSessionDownloadTask {
        tracked(completionHandler) { super.downloadTask(with: url, completionHandler: $0) }
    }

    override func downloadTask(
        withResumeData resumeData: Data, completionHandler: @escaping Handler<URL>
    ) -> URLSessionDownloadTask {
        tracked(completionHandler) { super.downloadTask(withResumeData: resumeData, completionHandler: $0) }
    }
}
#endif
