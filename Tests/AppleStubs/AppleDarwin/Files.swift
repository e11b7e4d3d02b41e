@_exported import CDarwin

public var errno: Int32 {
    get { unimplemented() }
    set { unimplemented() }
}

public var EPERM: Int32 { 1 }
public var EINTR: Int32 { 4 }
public var EIO: Int32 { 5 }
public var EISDIR: Int32 { 21 }
public var ESPIPE: Int32 { 29 }
public var EMLINK: Int32 { 31 }
public var EEXIST: Int32 { 17 }
public var EFBIG: Int32 { 27 }
public var EPIPE: Int32 { 32 }
public var EAGAIN: Int32 { 35 }
public var EWOULDBLOCK: Int32 { 35 }
public var ECONNABORTED: Int32 { 53 }
public var ENOBUFS: Int32 { 55 }

public var STDIN_FILENO: Int32 { 0 }
public var STDOUT_FILENO: Int32 { 1 }
public var STDERR_FILENO: Int32 { 2 }

public var F_SETFD: Int32 { 2 }
public var F_SETFL: Int32 { 4 }
public var F_DUPFD_CLOEXEC: Int32 { 67 }
public var FD_CLOEXEC: Int32 { 1 }
public var O_RDONLY: Int32 { 0x0000 }
public var O_WRONLY: Int32 { 0x0001 }
public var O_RDWR: Int32 { 0x0002 }
public var O_NONBLOCK: Int32 { 0x0004 }
public var O_APPEND: Int32 { 0x0008 }
public var O_NOFOLLOW: Int32 { 0x0100 }
public var O_CREAT: Int32 { 0x0200 }
public var O_EXCL: Int32 { 0x0800 }
public var O_NOCTTY: Int32 { 0x0002_0000 }
public var O_CLOEXEC: Int32 { 0x0100_0000 }

public typealias dev_t = Int32
public typealias ino_t = UInt64
public typealias uid_t = UInt32
public typealias gid_t = UInt32
public typealias mode_t = UInt16
public var S_IFMT: mode_t { 0o170000 }
public var S_IFDIR: mode_t { 0o040000 }
public var S_IFREG: mode_t { 0o100000 }

public typealias off_t = Int64
public var SEEK_CUR: Int32 { 1 }
public var LOCK_EX: Int32 { 0x02 }
public var LOCK_NB: Int32 { 0x04 }
public var LOCK_UN: Int32 { 0x08 }

@discardableResult public func flock(_ fd: Int32, _ operation: Int32) -> Int32 { unimplemented() }
@discardableResult public func fchmod(_ fd: Int32, _ mode: mode_t) -> Int32 { unimplemented() }
@discardableResult public func ftruncate(_ fd: Int32, _ length: off_t) -> Int32 { unimplemented() }
@discardableResult public func lseek(_ fd: Int32, _ offset: off_t, _ origin: Int32) -> off_t { unimplemented() }
@discardableResult public func mkfifo(_ path: UnsafePointer<CChar>!, _ mode: mode_t) -> Int32 { unimplemented() }

@discardableResult public func mkdir(_ path: UnsafePointer<CChar>!, _ mode: mode_t) -> Int32 { unimplemented() }

public func fcntl(_ fd: Int32, _ cmd: Int32) -> Int32 { unimplemented() }
public func fcntl(_ fd: Int32, _ cmd: Int32, _ value: Int32) -> Int32 { unimplemented() }
public func fcntl(_ fd: Int32, _ cmd: Int32, _ ptr: UnsafeMutableRawPointer) -> Int32 { unimplemented() }

public func open(_ path: UnsafePointer<CChar>, _ oflag: Int32) -> Int32 { unimplemented() }
public func open(_ path: UnsafePointer<CChar>, _ oflag: Int32, _ mode: mode_t) -> Int32 { unimplemented() }

@discardableResult public func close(_ fd: Int32) -> Int32 { unimplemented() }
@discardableResult public func dup2(_ fd: Int32, _ other: Int32) -> Int32 { unimplemented() }
@discardableResult public func dup(_ fd: Int32) -> Int32 { unimplemented() }
@discardableResult public func pipe(_ ends: UnsafeMutablePointer<Int32>!) -> Int32 { unimplemented() }
@discardableResult public func read(_ fd: Int32, _ buffer: UnsafeMutableRawPointer!, _ count: Int) -> Int {
    unimplemented()
}
@discardableResult public func write(_ fd: Int32, _ buffer: UnsafeRawPointer!, _ count: Int) -> Int { unimplemented() }

public struct pollfd {
    public var fd: Int32
    public var events: Int16
    public var revents: Int16
    public init() { unimplemented() }
    public init(fd: Int32, events: Int16, revents: Int16) { unimplemented() }
}

public typealias nfds_t = UInt32

public var POLLIN: Int32 { 0x0001 }
public var POLLOUT: Int32 { 0x0004 }
public var POLLERR: Int32 { 0x0008 }
public var POLLHUP: Int32 { 0x0010 }
public var POLLNVAL: Int32 { 0x0020 }

@discardableResult
public func poll(_ entries: UnsafeMutablePointer<pollfd>!, _ count: nfds_t, _ timeout: Int32) -> Int32 {
    unimplemented()
}

public var F_OK: Int32 { 0 }

public func access(_ path: UnsafePointer<CChar>!, _ mode: Int32) -> Int32 { unimplemented() }
public func strerror(_ code: Int32) -> UnsafeMutablePointer<CChar>! { unimplemented() }
@discardableResult
public func rename(_ from: UnsafePointer<CChar>!, _ to: UnsafePointer<CChar>!) -> Int32 { unimplemented() }

@discardableResult
public func link(_ from: UnsafePointer<CChar>!, _ to: UnsafePointer<CChar>!) -> Int32 { unimplemented() }

@discardableResult
public func symlink(_ target: UnsafePointer<CChar>!, _ path: UnsafePointer<CChar>!) -> Int32 { unimplemented() }
@discardableResult public func truncate(_ path: UnsafePointer<CChar>!, _ length: off_t) -> Int32 { unimplemented() }
@discardableResult public func chmod(_ path: UnsafePointer<CChar>!, _ mode: mode_t) -> Int32 { unimplemented() }
@discardableResult public func chown(_ path: UnsafePointer<CChar>!, _ owner: uid_t, _ group: gid_t) -> Int32 {
    unimplemented()
}
@discardableResult public func unlink(_ path: UnsafePointer<CChar>!) -> Int32 { unimplemented() }
@discardableResult public func chdir(_ path: UnsafePointer<CChar>!) -> Int32 { unimplemented() }
@discardableResult public func rmdir(_ path: UnsafePointer<CChar>!) -> Int32 { unimplemented() }
public func strdup(_ string: UnsafePointer<CChar>!) -> UnsafeMutablePointer<CChar>! { unimplemented() }
public func free(_ pointer: UnsafeMutableRawPointer!) { unimplemented() }

public typealias time_t = Int

public struct tm {
    public var tm_sec: Int32
    public var tm_min: Int32
    public var tm_hour: Int32
    public var tm_mday: Int32
    public var tm_mon: Int32
    public var tm_year: Int32
    public var tm_wday: Int32
    public var tm_yday: Int32
    public var tm_isdst: Int32
    public var tm_gmtoff: Int
    public var tm_zone: UnsafeMutablePointer<CChar>!
    public init() { unimplemented() }
}

public func timegm(_ time: UnsafeMutablePointer<tm>!) -> time_t { unimplemented() }
