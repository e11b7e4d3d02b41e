import Dispatch

public struct NWPath: Equatable, Sendable {
    public enum Status: Sendable { case satisfied, unsatisfied, requiresConnection }
    public let status: Status
}

// This stub isn't `Sendable`, because some SDKs don't declare the conformance.
public final class NWPathMonitor {
    public init() {}
    @preconcurrency public var pathUpdateHandler: (@Sendable (NWPath) -> Void)?
    public let currentPath = NWPath(status: .satisfied)
    public func start(queue: DispatchQueue) {}
    public func cancel() { pathUpdateHandler = nil }
}
