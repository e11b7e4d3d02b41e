import Foundation

/// A system call that failed while the server was set up.
package struct SocketError: Error, CustomStringConvertible {
    /// The name of the call, such as `bind`.
    package let call: String
    /// Its `errno`.
    package let code: Int32

    package var description: String { "\(call) failed: \(String(cString: strerror(code)))" }
}
