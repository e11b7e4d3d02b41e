import Dispatch

public struct NWPath: Equatable, Sendable {
    public enum Status: Sendable { case satisfied, unsatisfied, requiresConnection }
    public let status: Status
}

// `@unchecked Sendable`: this stub never calls its handler.
public final class NWPathMonitor: @unchecked Sendable {
    public init() {}
    public var pathUpdateHandler: (@Sendable (NWPath) -> Void)?
    public let currentPath = NWPath(status: .satisfied)
    public func start(queue: DispatchQueue) {}
    public func cancel() { pathUpdateHandler = nil }
}
