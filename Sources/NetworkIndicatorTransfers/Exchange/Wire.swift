import Foundation
import NetworkIndicator
import NetworkIndicatorURLSession

#if canImport(FoundationNetworking)
import CLibcurl
import FoundationNetworking
#endif

#if canImport(FoundationNetworking)
/// URLSession on Linux can't carry transfers: some responses crash the process, and waiting for data keeps a processor
/// core busy. It still loads URLs with other schemes than `http` and `https`, and serves sessions with protocol classes
/// of the caller, such as the stubs of a test.
func makeWire(for request: URLRequest, in session: URLSession, isFresh: Bool = false) -> any Wire {
    let isWeb = ["http", "https"].contains(request.url?.scheme?.lowercased())
    let classes = session.configuration.protocolClasses ?? []
    // Foundation adds another class of its own to `URLSession.shared`, unless that is the first session.
    let hasOwnClass = classes.contains { !String(reflecting: $0).hasPrefix("FoundationNetworking.") }
    if session.delegate is any TaskDelegating { return URLSessionWire(session, usesOwnSessions: false) }
    guard isWeb, !hasOwnClass, ni_curl_load() else { return URLSessionWire(session, usesOwnSessions: true) }
    return CurlWire(session, isFresh: isFresh)
}

/// A session's delegate that passes events to the delegate of each task, as URLSession does on Apple's systems. Tests
/// use one, so that the code for Apple's systems also runs on Linux.
protocol TaskDelegating: URLSessionDataDelegate {}

#else
func makeWire(for request: URLRequest, in session: URLSession, isFresh: Bool = false) -> any Wire {
    URLSessionWire(session, usesOwnSessions: false)
}
#endif

/// Sends the requests of one exchange, one at a time.
protocol Wire: AnyObject, Sendable {
    /// Sends a request. Events of an earlier request no longer reach the client.
    ///
    /// The client receives one event at a time, on any thread, apart from `connecting`. The wire retains the client
    /// until ``cancel()``.
    func start(_ request: URLRequest, _ body: RequestBody, for client: any WireClient)

    /// Ends the current request, and releases the client. A later ``start(_:_:for:)`` has no effect.
    func cancel()

    /// The time for which the server has sent nothing, or `nil` if URLSession itself measures this time. Waits for a
    /// connection that is in use, for the disk or for a decision of the caller's delegate don't count.
    var silence: Duration? { get }

    /// Whether a byte has arrived, even if it belonged to an earlier request.
    var hasReceived: Bool { get }
}

protocol WireClient: AnyObject, Sendable {
    func receive(_ event: WireEvent)

    /// Whether the body is stored in a file, as it arrives. A cache would store it again.
    var receivesFile: Bool { get }
}

enum WireEvent {
    /// URLSession waits for a network.
    case offline
    /// From now on, the silence of the server counts. The event can occur again, and concurrently with other ones.
    case connecting
    case sent(Int64, of: Int64)
    /// The final response to a request. With URLSession, another response can follow.
    case response(URLResponse)
    case data(Data)
    /// The request has ended. The response can be one that wasn't delivered before.
    case completed(URLResponse?, (any Error)?)
}

enum RequestBody: Sendable {
    case ofRequest
    case data(Data)
    case file(URL)

    func makeTask(
        _ request: URLRequest, in session: URLSession, delegate: any URLSessionTaskDelegate
    ) -> URLSessionTask {
        // The call already tracks the attempt, so a tracked session must not track the task again.
        let task = SessionTracking.$isEnabled.withValue(false) {
            switch self {
            case .ofRequest: session.dataTask(with: request)
            case .data(let data): session.uploadTask(with: request, from: data)
            case .file(let url): session.uploadTask(with: request, fromFile: url)
            }
        }
        task.delegate = delegate
        return task
    }

    /// Checks whether a file can be read.
    ///
    /// - Parameter readsFile: Whether to return the contents of the file, because URLSession on Linux traps if a file
    ///   upload ends while URLSession reads the file.
    func checked(readsFile: Bool) throws(URLError) -> RequestBody {
        guard case .file(let url) = self else { return self }
        return try Self.reading(url) { file in
            if readsFile { return .data(try file.readToEnd() ?? Data()) }
            _ = try file.read(upToCount: 1)
            return self
        }
    }

    static func reading<Value>(_ url: URL, _ body: (FileHandle) throws -> Value) throws(URLError) -> Value {
        // A `FileHandle` would also load URLs with other schemes.
        guard url.isFileURL else {
            let reason = "\(url.withoutCredentials) is not the URL of a file"
            throw URLError(.cannotOpenFile, reason: reason, url: url)
        }
        do {
            return try body(FileHandle(forReadingFrom: url))
        } catch {
            let cause = (error as? CocoaError)?.underlying.map { $0 as NSError }
            let isOfSystem = cause?.domain == NSPOSIXErrorDomain
            let reason = cause.map { isOfSystem ? String(cString: strerror(Int32($0.code))) : "\($0)" } ?? "\(error)"
            throw URLError(.cannotOpenFile, reason: "cannot read \(url.path): \(reason)", url: url, underlying: error)
        }
    }
}

extension URLRequest {
    /// The error of a request that can't be sent. A line break in its method would begin another header, or another
    /// request. Foundation itself accepts no such header.
    var unusable: URLError? {
        if let error = url?.unusable { return error }
        let method = httpMethod ?? "GET"
        let isToken = method.utf8.allSatisfy { (33..<127).contains($0) && !"\"(),/:;<=>?@[\\]{}".utf8.contains($0) }
        if isToken, !method.isEmpty { return nil }
        return URLError(.badURL, reason: "\(method.debugDescription) is not a method", url: url)
    }
}

extension DispatchQueue {
    /// The queue that creates and resumes tasks on Linux, because both can block there.
    static let urlSession = DispatchQueue(label: "NetworkIndicator.URLSession")
}

extension URLRequest {
    func applying(_ configuration: URLSessionConfiguration) -> URLRequest {
        var request = self
        // A request whose timeout was never set has a `timeoutInterval` of 60 s.
        if timeoutInterval == 60 { request.timeoutInterval = configuration.timeoutIntervalForRequest }
        // The timeout has an upper limit, because `Duration` can't represent infinity. A timeout that isn't positive
        // becomes the default.
        request.timeoutInterval = request.timeoutInterval > 0 ? min(request.timeoutInterval, 1e9) : 60
        #if canImport(FoundationNetworking)
        // URLSession on Linux adds the headers only to requests that it sends itself.
        for (name, value) in configuration.httpAdditionalHeaders ?? [:] {
            guard self.value(forHTTPHeaderField: "\(name)") == nil else { continue }
            request.setValue("\(value)", forHTTPHeaderField: "\(name)")
        }
        #endif
        return request
    }
}

extension URLSessionConfiguration {
    /// The longest duration of a call, or `nil` for URLSession's default of seven days.
    var resourceTimeout: Duration? {
        let seconds = timeoutIntervalForResource
        return seconds > 0 && seconds < 604_800 ? .seconds(seconds) : nil
    }
}
