import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// Alamofire 5.12
class Request: CustomStringConvertible, @unchecked Sendable {
    static let didResumeTaskNotification = Notification.Name("org.alamofire.notification.name.request.didResumeTask")
    static let didSuspendTaskNotification = Notification.Name("org.alamofire.notification.name.request.didSuspendTask")
    static let didCancelTaskNotification = Notification.Name("org.alamofire.notification.name.request.didCancelTask")
    static let didCompleteTaskNotification = Notification.Name(
        "org.alamofire.notification.name.request.didCompleteTask")
    static let didFinishNotification = Notification.Name("org.alamofire.notification.name.request.didFinish")
    var isResumed: Bool { true }
    var description: String { "GET https://example.org" }
}
extension Notification {
    var request: Request? { userInfo?["org.alamofire.notification.key.request"] as? Request }
}

// AFNetworking 4
extension Notification.Name {
    static let AFNetworkingTaskDidResume = Notification.Name("com.alamofire.networking.task.resume")
    static let AFNetworkingTaskDidSuspend = Notification.Name("com.alamofire.networking.task.suspend")
    static let AFNetworkingTaskDidComplete = Notification.Name("com.alamofire.networking.task.complete")
}

// Nuke 12.9–13.2
protocol DataLoading: Sendable {}
final class DataLoader: DataLoading, @unchecked Sendable {
    var delegate: (any URLSessionDelegate)?
}
final class ImagePipeline: @unchecked Sendable {
    struct Configuration { var dataLoader: any DataLoading = DataLoader() }
    static var shared: ImagePipeline {
        get { ImagePipeline { _ in } }
        set {}
    }
    init(_ configure: (inout Configuration) -> Void) {}
}
#if canImport(FoundationNetworking)
// On Linux, `URLSessionTaskDelegate` doesn't declare this method.
extension URLSessionTaskDelegate {
    func urlSession(_ session: URLSession, didCreateTask task: URLSessionTask) {}
}
#endif

// swift-openapi-runtime 1, swift-openapi-urlsession 1, swift-http-types
struct HTTPRequest: Sendable {}
struct HTTPResponse: Sendable {}
enum IterationBehavior: Sendable { case single, multiple }
final class HTTPBody: AsyncSequence, Sendable {
    typealias ByteChunk = ArraySlice<UInt8>
    enum Length: Sendable { case unknown, known(Int64) }
    struct AsyncIterator: AsyncIteratorProtocol { mutating func next() async throws -> ByteChunk? { nil } }
    let length: Length
    let iterationBehavior: IterationBehavior
    init<Bytes: AsyncSequence>(_ sequence: Bytes, length: Length, iterationBehavior: IterationBehavior)
    where Bytes: Sendable, Bytes.Element: Sequence & Sendable, Bytes.Element.Element == UInt8 {
        (self.length, self.iterationBehavior) = (length, iterationBehavior)
    }
    func makeAsyncIterator() -> AsyncIterator { AsyncIterator() }
}
protocol ClientMiddleware: Sendable {
    func intercept(
        _ request: HTTPRequest, body: HTTPBody?, baseURL: URL, operationID: String,
        next: @Sendable (HTTPRequest, HTTPBody?, URL) async throws -> (HTTPResponse, HTTPBody?)
    ) async throws -> (HTTPResponse, HTTPBody?)
}
struct URLSessionTransport: Sendable {
    struct Configuration: Sendable { init(session: URLSession = .shared) {} }
    init(configuration: Configuration = .init()) {}
}

// Stubs of AsyncHTTPClient 1 and NIO 2
struct ByteBuffer: Sendable { var readableBytes: Int { 0 } }
struct TimeAmount: Sendable { static func seconds(_ amount: Int64) -> TimeAmount { TimeAmount() } }
struct HTTPHeaders: Sendable { func first(name: String) -> String? { nil } }
struct HTTPClientRequest: Sendable { init(url: String) {} }
struct HTTPClientResponse: Sendable {
    struct Body: AsyncSequence, Sendable {
        struct AsyncIterator: AsyncIteratorProtocol { mutating func next() async throws -> ByteBuffer? { nil } }
        func makeAsyncIterator() -> AsyncIterator { AsyncIterator() }
        func collect(upTo maxBytes: Int) async throws -> ByteBuffer { ByteBuffer() }
    }
    var headers: HTTPHeaders
    var body: Body
}
final class HTTPClient: Sendable {
    static var shared: HTTPClient { HTTPClient() }
    func execute(_ request: HTTPClientRequest, timeout: TimeAmount) async throws -> HTTPClientResponse {
        throw CancellationError()
    }
}

struct File: Sendable { func write(_ part: ByteBuffer) async throws {} }
let file = File()
let request = HTTPClientRequest(url: "https://example.com/feed")
