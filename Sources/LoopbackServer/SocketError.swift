import Foundation

/// An error of a system call that failed while the server was set up.
public struct SocketError: Error, CustomStringConvertible {
    /// The name of the call, such as `bind`.
    public let call: String
    /// The value of `errno` after the call.
    public let code: Int32

    public var description: String { "\(call) failed: \(String(cString: strerror(code)))" }
}
