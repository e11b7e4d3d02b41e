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

/// A session that tracks the tasks that it creates.
///
/// On Linux URLSession doesn't call `urlSession(_:didCreateTask:)`.
final class TrackedURLSession: URLSession, @unchecked Sendable {  // like URLSession; the added property is constant
    private let tracking: SessionTracking

    init(
        configuration: URLSessionConfiguration, delegate: (any URLSessionDelegate)?, delegateQueue: OperationQueue?,
        tracking: SessionTracking
    ) {
        self.tracking = tracking
        super.init(configuration: configuration, delegate: delegate, delegateQueue: delegateQueue)
    }

    private func tracked<T: URLSessionTask>(_ task: T) -> T {
        tracking.track(task)
        return task
    }

    // MARK: Data

    override func dataTask(with request: URLRequest) -> URLSessionDataTask {
        tracked(super.dataTask(with: request))
    }

    override func dataTask(with url: URL) -> URLSessionDataTask {
        tracked(super.dataTask(with: url))
    }

    override func dataTask(
        with request: URLRequest, completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionDataTask {
        tracked(super.dataTask(with: request, completionHandler: completionHandler))
    }

    override func dataTask(
        with url: URL, completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionDataTask {
        tracked(super.dataTask(with: url, completionHandler: completionHandler))
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
        with request: URLRequest, fromFile fileURL: URL,
        completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionUploadTask {
        tracked(super.uploadTask(with: request, fromFile: fileURL, completionHandler: completionHandler))
    }

    override func uploadTask(
        with request: URLRequest, from bodyData: Data?,
        completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionUploadTask {
        tracked(super.uploadTask(with: request, from: bodyData, completionHandler: completionHandler))
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
        with request: URLRequest, completionHandler: @escaping @Sendable (URL?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionDownloadTask {
        tracked(super.downloadTask(with: request, completionHandler: completionHandler))
    }

    override func downloadTask(
        with url: URL, completionHandler: @escaping @Sendable (URL?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionDownloadTask {
        tracked(super.downloadTask(with: url, completionHandler: completionHandler))
    }

    override func downloadTask(
        withResumeData resumeData: Data,
        completionHandler: @escaping @Sendable (URL?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionDownloadTask {
        tracked(super.downloadTask(withResumeData: resumeData, completionHandler: completionHandler))
    }
}
#endif
