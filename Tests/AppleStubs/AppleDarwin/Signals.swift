@_exported import CDarwin

public var SIGHUP: Int32 { 1 }
public var SIGINT: Int32 { 2 }
public var SIGQUIT: Int32 { 3 }
public var SIGILL: Int32 { 4 }
public var SIGTRAP: Int32 { 5 }
public var SIGABRT: Int32 { 6 }
public var SIGFPE: Int32 { 8 }
public var SIGKILL: Int32 { 9 }
public var SIGBUS: Int32 { 10 }
public var SIGSEGV: Int32 { 11 }
public var SIGSYS: Int32 { 12 }
public var SIGPIPE: Int32 { 13 }
public var SIGXFSZ: Int32 { 25 }
public var SIGTERM: Int32 { 15 }
public var SIGSTOP: Int32 { 17 }
public var SIGTSTP: Int32 { 18 }
public var SIGCONT: Int32 { 19 }
public var SIGTTIN: Int32 { 21 }
public var SIGTTOU: Int32 { 22 }

public typealias sig_t = @convention(c) (Int32) -> Void
public var SIG_DFL: sig_t? { nil }
public var SIG_IGN: sig_t { unimplemented() }

public var SIG_BLOCK: Int32 { 1 }
public var SIG_UNBLOCK: Int32 { 2 }
public var SIG_SETMASK: Int32 { 3 }

@discardableResult
public func signal(_ signal: Int32, _ handler: (@convention(c) (Int32) -> Void)!) -> (@convention(c) (Int32) -> Void)! {
    unimplemented()
}

@discardableResult public func sigemptyset(_ set: UnsafeMutablePointer<sigset_t>!) -> Int32 { unimplemented() }
@discardableResult public func sigfillset(_ set: UnsafeMutablePointer<sigset_t>!) -> Int32 { unimplemented() }
@discardableResult public func sigaddset(_ set: UnsafeMutablePointer<sigset_t>!, _ signal: Int32) -> Int32 {
    unimplemented()
}
@discardableResult public func sigdelset(_ set: UnsafeMutablePointer<sigset_t>!, _ signal: Int32) -> Int32 {
    unimplemented()
}
public func sigismember(_ set: UnsafePointer<sigset_t>!, _ signal: Int32) -> Int32 { unimplemented() }

@discardableResult
public func pthread_sigmask(
    _ how: Int32, _ set: UnsafePointer<sigset_t>!, _ earlier: UnsafeMutablePointer<sigset_t>!
) -> Int32 { unimplemented() }

@discardableResult public func kill(_ process: pid_t, _ signal: Int32) -> Int32 { unimplemented() }
@discardableResult public func raise(_ signal: Int32) -> Int32 { unimplemented() }
