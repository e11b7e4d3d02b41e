// `@unchecked Sendable`: Apple's SDK declares the same conformances for these classes.

@objc open class Selector: NSObject {}
@objc open class Protocol {}

@objc public protocol NSObjectProtocol {
    @objc(respondsToSelector:) func responds(to aSelector: Selector!) -> Bool
    @objc(conformsToProtocol:) func conforms(to aProtocol: Protocol) -> Bool
}

@objc open class NSObject: NSObjectProtocol {
    @objc public init() {}
    @objc open func responds(to aSelector: Selector!) -> Bool { false }
    @objc open func conforms(to aProtocol: Protocol) -> Bool { false }
    @objc(forwardingTargetForSelector:) open func forwardingTarget(for aSelector: Selector!) -> Any? { nil }
}

@objc open class URLSession: NSObject, @unchecked Sendable {
    @objc public init(
        configuration: URLSessionConfiguration, delegate: (any URLSessionDelegate)?,
        delegateQueue queue: OperationQueue?
    ) {}
}
@objc open class URLSessionConfiguration: NSObject, @unchecked Sendable {}
@objc open class OperationQueue: NSObject, @unchecked Sendable {}
@objc open class URLSessionTask: NSObject, @unchecked Sendable {}

@objc public protocol URLSessionDelegate: NSObjectProtocol, Sendable {}
@objc public protocol URLSessionTaskDelegate: URLSessionDelegate {
    @objc(URLSession:didCreateTask:)
    optional func urlSession(_ session: URLSession, didCreateTask task: URLSessionTask)
    @objc(URLSession:taskIsWaitingForConnectivity:)
    optional func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask)
}

struct SessionTracking: Sendable {
    func track(_ task: URLSessionTask) {}
    func noteWaiting(_ task: URLSessionTask) {}
}
