import Foundation
import LoopbackServer
import NetworkIndicator
import TestSupport
import Testing

@testable import NetworkIndicatorTransfers

#if canImport(FoundationNetworking)
@_exported import FoundationNetworking
#endif

enum Event: Equatable {
    case started(Int)
    case willRetry(Int, Int)
    case waiting(Int)
    case finished

    init?(_ event: AttemptEvent) {
        switch event {
        case .started(let attempt): self = .started(attempt)
        case .willRetry(let attempt, .transport(let error), _): self = .willRetry(attempt, error.code.rawValue)
        case .willRetry(let attempt, .status(let status, _), _): self = .willRetry(attempt, status)
        case .waitingForConnectivity(let error): self = .waiting(error.code.rawValue)
        case .progress, .receiving: return nil
        case .finished: self = .finished
        }
    }
}

/// How the package sends requests on this system.
enum Wires: CaseIterable {
    case urlSession, curl
    /// URLSession as on Apple's systems.
    case taskDelegates

    #if !canImport(FoundationNetworking)
    static let allCases = [Wires.urlSession]
    #endif
}

/// On Linux, URLSession sends the requests of a session that has this class.
private final class NoProtocol: URLProtocol {
    override class func canInit(with request: URLRequest) -> Bool { false }
}

final class Bench: Sendable {
    let manager = NetworkIndicatorManager(configuration: .immediate)
    let session: URLSession
    let events = Log<Event>()
    let notifications = Log<(isStart: Bool, attempt: Int, id: UUID, error: (any Error)?)>()
    // `nonisolated(unsafe)`: only `init` and `deinit` use the array.
    nonisolated(unsafe) private var observers: [any NSObjectProtocol] = []

    init(delegate: (any URLSessionDelegate)? = nil, _ change: (URLSessionConfiguration) -> Void = { _ in }) {
        ResourceLimit.raiseDescriptors()
        ParentWatch.start()
        let configuration = URLSessionConfiguration.default
        change(configuration)
        session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
        for name in [Notification.Name.networkRequestDidStart, .networkRequestDidFinish] {
            let observer = NotificationCenter.default.addObserver(forName: name, object: manager, queue: nil) {
                [notifications] notification in
                guard let contents = NetworkRequestNotification(notification) else { return }
                let isStart = name == .networkRequestDidStart
                notifications.add((isStart, contents.attempt, contents.activityID, contents.error))
            }
            observers.append(observer)
        }
    }

    convenience init(_ wires: Wires, _ change: (URLSessionConfiguration) -> Void = { _ in }) {
        #if canImport(FoundationNetworking)
        let delegate = wires == .taskDelegates ? TaskDelegates() : nil
        #else
        let delegate: (any URLSessionDelegate)? = nil
        #endif
        self.init(delegate: delegate) {
            change($0)
            if wires == .urlSession { $0.protocolClasses = [NoProtocol.self] + ($0.protocolClasses ?? []) }
        }
    }

    deinit {
        for observer in observers { NotificationCenter.default.removeObserver(observer) }
        session.finishTasksAndInvalidate()
    }

    func onEvent(_ event: AttemptEvent) {
        if let event = Event(event) { events.add(event) }
    }

    func data(
        _ request: URLRequest, _ policy: TrackedRetryPolicy, onEvent: (@Sendable (AttemptEvent) -> Void)? = nil
    ) async throws -> (data: Data, status: Int) {
        let (data, response) = try await session.trackedData(for: request, policy: policy, manager: manager) { event in
            self.onEvent(event)
            onEvent?(event)
        }
        return (data, (response as? HTTPURLResponse)?.statusCode ?? -1)
    }

    func data(_ url: URL, _ policy: TrackedRetryPolicy) async throws -> (data: Data, status: Int) {
        try await data(URLRequest(url: url), policy)
    }
}

extension TrackedRetryPolicy {
    var unhurried: TrackedRetryPolicy { on(TestClock(skipsSleeps: true)) }

    func on(_ clock: TestClock) -> TrackedRetryPolicy {
        var policy = self
        policy.clock = clock
        return policy
    }
}

extension BodyDisposition {
    var name: String { String("\(self)".prefix { $0 != "(" }) }
}

extension URLRequest {
    init(_ method: String, _ url: URL, timeout: TimeInterval = 240, body: String? = nil) {
        self.init(url: url, timeoutInterval: timeout)
        httpMethod = method
        httpBody = body.map { Data($0.utf8) }
    }
}

func failure(of body: () async throws -> some Any) async -> (any Error)? {
    do {
        _ = try await body()
        return nil
    } catch {
        return error
    }
}

extension LoopbackServer {
    func connectionsEnded() async {
        let start = ContinuousClock.now
        while openConnectionCount > 0, start.duration(to: .now) < .seconds(60) { await Task.yield() }
        if openConnectionCount > 0 { Issue.record("Connections are still open") }
    }
}

final class TemporaryFolder: Sendable {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).test")

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func url(_ name: String) -> URL { folder.appending(path: name) }

    var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted() }
}
