public var AF_UNIX: Int32 { 1 }
public var AF_INET: Int32 { 2 }
public var SOCK_STREAM: Int32 { 1 }
public var SOL_SOCKET: Int32 { 0xFFFF }
public var SO_LINGER: Int32 { 0x0080 }
public var SO_NOSIGPIPE: Int32 { 0x1022 }
public var SO_NWRITE: Int32 { 0x1024 }
public var SO_RCVTIMEO: Int32 { 0x1006 }
public var SOMAXCONN: Int32 { 128 }
public var IPPROTO_TCP: Int32 { 6 }
public var TCP_NODELAY: Int32 { 0x01 }
public var SHUT_WR: Int32 { 1 }
public var SHUT_RDWR: Int32 { 2 }
public var INADDR_ANY: in_addr_t { 0 }

public typealias socklen_t = UInt32
public typealias sa_family_t = UInt8
public typealias in_addr_t = UInt32
public typealias in_port_t = UInt16

public struct in_addr {
    public var s_addr: in_addr_t
    public init() { unimplemented() }
    public init(s_addr: in_addr_t) { unimplemented() }
}

public struct sockaddr {
    public var sa_len: UInt8
    public var sa_family: sa_family_t
    public init() { unimplemented() }
}

public struct sockaddr_in {
    public var sin_len: UInt8
    public var sin_family: sa_family_t
    public var sin_port: in_port_t
    public var sin_addr: in_addr
    public init() { unimplemented() }
}

public struct linger {
    public var l_onoff: Int32
    public var l_linger: Int32
    public init() { unimplemented() }
    public init(l_onoff: Int32, l_linger: Int32) { unimplemented() }
}

public struct timeval {
    public var tv_sec: Int
    public var tv_usec: Int32
    public init() { unimplemented() }
    public init(tv_sec: Int, tv_usec: Int32) { unimplemented() }
}

@discardableResult public func socket(_ domain: Int32, _ type: Int32, _ protocol: Int32) -> Int32 { unimplemented() }

@discardableResult
public func bind(_ socket: Int32, _ address: UnsafePointer<sockaddr>!, _ length: socklen_t) -> Int32 { unimplemented() }

@discardableResult
public func connect(_ socket: Int32, _ address: UnsafePointer<sockaddr>!, _ length: socklen_t) -> Int32 {
    unimplemented()
}

@discardableResult public func listen(_ socket: Int32, _ backlog: Int32) -> Int32 { unimplemented() }

@discardableResult
public func accept(
    _ socket: Int32, _ address: UnsafeMutablePointer<sockaddr>!, _ length: UnsafeMutablePointer<socklen_t>!
) -> Int32 { unimplemented() }

@discardableResult
public func getsockname(
    _ socket: Int32, _ address: UnsafeMutablePointer<sockaddr>!, _ length: UnsafeMutablePointer<socklen_t>!
) -> Int32 { unimplemented() }

@discardableResult
public func getsockopt(
    _ socket: Int32, _ level: Int32, _ name: Int32, _ value: UnsafeMutableRawPointer!,
    _ length: UnsafeMutablePointer<socklen_t>!
) -> Int32 { unimplemented() }

@discardableResult
public func setsockopt(
    _ socket: Int32, _ level: Int32, _ name: Int32, _ value: UnsafeRawPointer!, _ length: socklen_t
) -> Int32 { unimplemented() }

@discardableResult
public func recv(_ socket: Int32, _ buffer: UnsafeMutableRawPointer!, _ count: Int, _ flags: Int32) -> Int {
    unimplemented()
}

@discardableResult
public func send(_ socket: Int32, _ buffer: UnsafeRawPointer!, _ count: Int, _ flags: Int32) -> Int { unimplemented() }

@discardableResult public func shutdown(_ socket: Int32, _ how: Int32) -> Int32 { unimplemented() }
