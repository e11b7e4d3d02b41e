import Foundation

extension Socket {
    #if canImport(Darwin)
    static let streamType = SOCK_STREAM
    static let sendFlags: Int32 = 0

    func suppressSIGPIPE() { set(SO_NOSIGPIPE, SOL_SOCKET, Int32(1)) }

    var unacknowledgedByteCount: Int {
        var count: Int32 = 0
        var length = socklen_t(MemoryLayout.size(ofValue: count))
        return getsockopt(descriptor, SOL_SOCKET, SO_NWRITE, &count, &length) == 0 ? Int(count) : 0
    }
    #else
    static let streamType = Int32(SOCK_STREAM.rawValue)
    static let sendFlags = Int32(MSG_NOSIGNAL)

    /// On Linux, ``sendFlags`` suppresses SIGPIPE.
    func suppressSIGPIPE() {}

    var unacknowledgedByteCount: Int {
        var count: Int32 = 0
        return ioctl(descriptor, UInt(TIOCOUTQ), &count) == 0 ? Int(count) : 0
    }
    #endif
}
