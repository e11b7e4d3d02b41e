import Foundation

/// The failure of a system call that sets up the server.
public struct SocketError: Error, CustomStringConvertible {
    /// The name of the call, such as `bind`.
    public let call: String
    /// The value of `errno` after the call.
    public let code: Int32

    public var description: String { "\(call) failed: \(String(cString: strerror(code)))" }
}
