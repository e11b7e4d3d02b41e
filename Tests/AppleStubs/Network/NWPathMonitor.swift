import Dispatch

public struct NWPath: Equatable, Sendable {
    public enum Status: Sendable { case satisfied, unsatisfied, requiresConnection }
    public let status: Status
}

public final class NWPathMonitor {
    public init() {}
    @preconcurrency public var pathUpdateHandler: (@Sendable (NWPath) -> Void)?
    public let currentPath = NWPath(status: .satisfied)
    public func start(queue: DispatchQueue) {}
    public func cancel() { pathUpdateHandler = nil }
}
