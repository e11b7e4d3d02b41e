import Foundation
import FoundationNetworking
import NetworkIndicator
import NetworkIndicatorURLSession

// The declarations of Nuke 12 that the sample uses.
protocol Cancellable: AnyObject, Sendable { func cancel() }
protocol DataLoading: Sendable {
    func loadData(
        with request: URLRequest, didReceiveData: @escaping @Sendable (Data, URLResponse) -> Void,
        completion: @escaping @Sendable ((any Error)?) -> Void
    ) -> any Cancellable
}
final class DataLoader: DataLoading {
    final class Load: Cancellable { func cancel() {} }
    func loadData(
        with request: URLRequest, didReceiveData: @escaping @Sendable (Data, URLResponse) -> Void,
        completion: @escaping @Sendable ((any Error)?) -> Void
    ) -> any Cancellable { Load() }
}
@MainActor final class ImagePipeline {
    struct Configuration { var dataLoader: any DataLoading = DataLoader() }
    static var shared = ImagePipeline { _ in }
    init(_ configure: (inout Configuration) -> Void) {}
}
