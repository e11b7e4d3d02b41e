import Foundation

/// A system call that failed while the server was set up.
public struct SocketError: Error, CustomStringConvertible {
    /// The name of the call, such as `bind`.
    public let call: String
    /// Its `errno`.
    public let code: Int32

    public var description: String { "\(call) failed: \(String(cString: strerror(code)))" }
}
