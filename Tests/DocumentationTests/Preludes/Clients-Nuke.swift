import Foundation
import FoundationNetworking
import NetworkIndicator
import NetworkIndicatorURLSession

// Nuke 12.9–13.2
nonisolated protocol Cancellable: AnyObject, Sendable { func cancel() }
nonisolated protocol DataLoading: Sendable {
    func loadData(
        with request: URLRequest, didReceiveData: @escaping @Sendable (Data, URLResponse) -> Void,
        completion: @escaping @Sendable ((any Error)?) -> Void
    ) -> any Cancellable
}
nonisolated final class DataLoader: DataLoading, @unchecked Sendable {
    final class Load: Cancellable { func cancel() {} }
    var prefersIncrementalDelivery = false
    var delegate: (any URLSessionDelegate)?
    func loadData(
        with request: URLRequest, didReceiveData: @escaping @Sendable (Data, URLResponse) -> Void,
        completion: @escaping @Sendable ((any Error)?) -> Void
    ) -> any Cancellable { Load() }
}
nonisolated final class ImagePipeline: @unchecked Sendable {
    struct Configuration { var dataLoader: any DataLoading = DataLoader() }
    static var shared: ImagePipeline {
        get { ImagePipeline { _ in } }
        set {}
    }
    init(_ configure: (inout Configuration) -> Void) {}
}
// On Linux, `URLSessionTaskDelegate` doesn't declare this method.
nonisolated extension URLSessionTaskDelegate {
    func urlSession(_ session: URLSession, didCreateTask task: URLSessionTask) {}
}
