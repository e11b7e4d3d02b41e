import Foundation
import NetworkIndicator
import NetworkIndicatorURLSession

#if canImport(FoundationNetworking)
import FoundationNetworking
typealias SystemWire = LinuxWire
#else
typealias SystemWire = AppleWire
#endif

/// Sends the requests of one exchange, one at a time. The type of the system's wire also knows how the system's
/// URLSession differs from URLSession elsewhere.
protocol Wire: AnyObject, Sendable {
    static func settings(of session: URLSession) -> SessionSettings

    /// Sends a request. Events of an earlier request no longer reach the client.
    ///
    /// The client receives one event at a time, on any thread. The wire retains the client until ``cancel()``.
    func start(_ request: URLRequest, _ body: RequestBody, for client: any WireClient)

    /// Ends the current request, and releases the client. A later ``start(_:_:for:)`` has no effect.
    func cancel()

    /// Later exchanges of the session use other connections.
    func retire()

    /// The time for which the server has sent nothing, or zero if URLSession itself measures this time. Waits for the
    /// disk or for a decision of the caller's delegate don't count.
    var silence: Duration { get }

    /// Whether a byte has arrived, even if it belonged to an earlier request.
    var hasReceived: Bool { get }
}

protocol WireClient: AnyObject, Sendable {
    func receive(_ event: WireEvent)

    var mayBeCached: Bool { get }
}

enum WireEvent {
    /// URLSession waits for a network.
    case offline
    case sent(Int64, of: Int64)
    /// The final response to a request. Another response can follow, for example after a challenge.
    case response(URLResponse)
    case data(Data)
    /// The caller's delegate decides on a challenge. The next event is a response, ``declined(_:)`` or a completion.
    case challenge
    /// The response to a request whose challenge couldn't be met. Its body has arrived.
    case declined(URLResponse)
    /// The request has ended. The response can be one that wasn't delivered before.
    case completed(URLResponse?, (any Error)?)
}

enum RequestBody: Sendable {
    case ofRequest
    case data(Data)
    case file(URL)

    func makeTask(_ request: URLRequest, in session: URLSession) -> URLSessionTask {
        // The call already tracks the attempt, so a tracked session must not track the task again.
        SessionTracking.$isEnabled.withValue(false) {
            switch self {
            case .ofRequest: session.dataTask(with: request)
            case .data(let data): session.uploadTask(with: request, from: data)
            case .file(let url): session.uploadTask(with: request, fromFile: url)
            }
        }
    }

    /// Checks whether a file can be read.
    ///
    /// - Parameter intoMemory: Whether to return the data of the file.
    func opened(intoMemory: Bool) throws(URLError) -> RequestBody {
        guard case .file(let file) = self else { return self }
        // `Data(contentsOf:)` would also load URLs with other schemes.
        guard file.isFileURL else {
            let reason = "\(file.withoutCredentials) is not the URL of a file"
            throw URLError(.cannotOpenFile, reason: reason, url: file)
        }
        do {
            if intoMemory { return .data(try Data(contentsOf: file)) }
            let handle = try FileHandle(forReadingFrom: file)
            _ = try handle.read(upToCount: 1)
            try handle.close()
            return self
        } catch {
            let cause = (error as? CocoaError)?.underlying as? POSIXError
            let reason = cause.map { String(cString: strerror($0.code.rawValue)) } ?? "\(error)"
            throw URLError(.cannotOpenFile, reason: "cannot read \(file.path): \(reason)", url: file)
        }
    }
}

extension DispatchQueue {
    /// The queue that creates and resumes tasks. On Linux, both wait while URLSession looks up a host for another task.
    static let urlSession = DispatchQueue(label: "NetworkIndicator.URLSession")
}

struct SessionSettings: Sendable {
    let identifier: String?
    private let requestTimeout: TimeInterval
    let resourceTimeout: Duration
    let headers: [String: String]

    init(_ configuration: URLSessionConfiguration) {
        identifier = configuration.identifier
        requestTimeout = configuration.timeoutIntervalForRequest
        let resource = configuration.timeoutIntervalForResource
        resourceTimeout = resource > 0 && resource < Duration.longest.timeInterval ? .seconds(resource) : .longest
        // On Linux, a lock is held here, so the caller's code must not run. The interpolation runs none of it, because
        // `URLSession.init` on Linux traps if a name or a value isn't a string.
        let additional = configuration.httpAdditionalHeaders ?? [:]
        headers = Dictionary(additional.map { ("\($0)", "\($1)") }) { first, _ in first }
    }

    func applied(to request: URLRequest) -> URLRequest {
        var request = request
        request.url = request.url?.withLowercaseScheme
        // A request whose timeout was never set has a `timeoutInterval` of 60 s.
        if request.timeoutInterval == 60 { request.timeoutInterval = requestTimeout }
        // The timeout has an upper limit, because `Duration` can't represent infinity. A timeout that isn't positive
        // becomes the default.
        request.timeoutInterval = request.timeoutInterval > 0 ? min(request.timeoutInterval, 1e9) : 60
        return request
    }
}

extension URL {
    /// URLSession on Linux doesn't recognize uppercase schemes.
    var withLowercaseScheme: URL {
        guard let scheme, scheme != scheme.lowercased() else { return self }
        return URL(string: scheme.lowercased() + absoluteString.dropFirst(scheme.count)) ?? self
    }
}
