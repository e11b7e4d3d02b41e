// The declarations of Musl that Terminal+Musl.swift uses.
@_exported import CMusl

public var SA_SIGINFO: Int32 { 4 }
public var FIONREAD: Int32 { 0x541B }
public var TIOCGWINSZ: Int32 { 0x5413 }

public struct winsize {
    public var ws_row: UInt16 = 0
    public var ws_col: UInt16 = 0
    public init() {}
}

/// Swift declares this function itself, because it doesn't import C functions with variable arguments.
public func ioctl(_ descriptor: Int32, _ request: UInt, _ pointer: UnsafeMutableRawPointer) -> Int32 { -1 }
