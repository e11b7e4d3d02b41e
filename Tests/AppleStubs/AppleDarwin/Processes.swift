@_exported import CDarwin

public typealias pid_t = Int32

public func getpid() -> pid_t { unimplemented() }
public func getppid() -> pid_t { unimplemented() }
public func getpgrp() -> pid_t { unimplemented() }
public func geteuid() -> uid_t { unimplemented() }
public func tcgetpgrp(_ descriptor: Int32) -> pid_t { unimplemented() }
public func isatty(_ descriptor: Int32) -> Int32 { unimplemented() }
@discardableResult public func alarm(_ seconds: UInt32) -> UInt32 { unimplemented() }
@discardableResult public func sleep(_ seconds: UInt32) -> UInt32 { unimplemented() }
@discardableResult public func usleep(_ microseconds: UInt32) -> Int32 { unimplemented() }
@discardableResult public func sched_yield() -> Int32 { unimplemented() }
@discardableResult public func setenv(
    _ name: UnsafePointer<CChar>!, _ value: UnsafePointer<CChar>!, _ overwrites: Int32
) -> Int32 { unimplemented() }
@discardableResult public func atexit(_ handler: (@convention(c) () -> Void)!) -> Int32 { unimplemented() }
public func exit(_ status: Int32) -> Never { unimplemented() }
public func _exit(_ status: Int32) -> Never { unimplemented() }
public func abort() -> Never { unimplemented() }

public func dlsym(_ library: UnsafeMutableRawPointer!, _ symbol: UnsafePointer<CChar>!) -> UnsafeMutableRawPointer! {
    unimplemented()
}

public struct winsize {
    public var ws_row: UInt16
    public var ws_col: UInt16
    public var ws_xpixel: UInt16
    public var ws_ypixel: UInt16
    public init() { unimplemented() }
    public init(ws_row: UInt16, ws_col: UInt16, ws_xpixel: UInt16, ws_ypixel: UInt16) { unimplemented() }
}

public var TIOCGWINSZ: UInt { 0x4008_7468 }

public func ioctl(_ descriptor: Int32, _ request: UInt) -> Int32 { unimplemented() }
public func ioctl(_ descriptor: Int32, _ request: UInt, _ value: Int32) -> Int32 { unimplemented() }
public func ioctl(_ descriptor: Int32, _ request: UInt, _ pointer: UnsafeMutableRawPointer) -> Int32 { unimplemented() }

public func ttyname_r(_ descriptor: Int32, _ name: UnsafeMutablePointer<CChar>!, _ size: Int) -> Int32 {
    unimplemented()
}
@discardableResult public func uname(_ name: UnsafeMutablePointer<utsname>!) -> Int32 { unimplemented() }

public typealias tcflag_t = UInt
public var ECHO: Int32 { 0x0000_0008 }
public var ICANON: Int32 { 0x0000_0100 }
public var TOSTOP: Int32 { 0x0040_0000 }

public struct termios {
    public var c_iflag: tcflag_t
    public var c_oflag: tcflag_t
    public var c_cflag: tcflag_t
    public var c_lflag: tcflag_t
    public init() { unimplemented() }
}

@discardableResult
public func tcgetattr(_ descriptor: Int32, _ settings: UnsafeMutablePointer<termios>!) -> Int32 { unimplemented() }

public var RUSAGE_SELF: Int32 { 0 }

public struct rusage {
    public var ru_utime: timeval
    public var ru_stime: timeval
    public var ru_maxrss: Int
    public var ru_nvcsw: Int
    public var ru_nivcsw: Int
    public init() { unimplemented() }
}

@discardableResult public func getrusage(_ who: Int32, _ usage: UnsafeMutablePointer<rusage>!) -> Int32 {
    unimplemented()
}

public typealias rlim_t = UInt64
public var RLIMIT_FSIZE: Int32 { 1 }
public var RLIMIT_NOFILE: Int32 { 8 }

public struct rlimit {
    public var rlim_cur: rlim_t
    public var rlim_max: rlim_t
    public init() { unimplemented() }
}

public func getrlimit(_ resource: Int32, _ limit: UnsafeMutablePointer<rlimit>!) -> Int32 { unimplemented() }
public func setrlimit(_ resource: Int32, _ limit: UnsafePointer<rlimit>!) -> Int32 { unimplemented() }

public struct malloc_statistics_t {
    public var blocks_in_use: UInt32
    public var size_in_use: Int
    public var max_size_in_use: Int
    public var size_allocated: Int
    public init() { unimplemented() }
}

public func malloc_zone_statistics(
    _ zone: UnsafeMutableRawPointer!, _ statistics: UnsafeMutablePointer<malloc_statistics_t>!
) { unimplemented() }

func unimplemented() -> Never { fatalError("a stub") }

public struct timespec {
    public var tv_sec: time_t
    public var tv_nsec: Int
    public init() { unimplemented() }
}

public struct clockid_t: RawRepresentable {
    public var rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }
}
public var CLOCK_THREAD_CPUTIME_ID: clockid_t { clockid_t(rawValue: 16) }

@discardableResult public func clock_gettime(_ clock: clockid_t, _ time: UnsafeMutablePointer<timespec>!) -> Int32 {
    unimplemented()
}
