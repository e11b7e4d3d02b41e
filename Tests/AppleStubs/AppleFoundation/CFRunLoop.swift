@_exported import class Foundation.RunLoop

public typealias CFTypeRef = AnyObject

public final class CFString {}

public final class CFRunLoop {
    static nonisolated(unsafe) let main = CFRunLoop()
}

public struct CFRunLoopMode: RawRepresentable {
    public static nonisolated(unsafe) let commonModes: CFRunLoopMode! = CFRunLoopMode(rawValue: CFString())

    public let rawValue: CFString

    public init(rawValue: CFString) { self.rawValue = rawValue }
}

public func CFRunLoopGetMain() -> CFRunLoop! { .main }

public func CFRunLoopPerformBlock(_ rl: CFRunLoop!, _ mode: CFTypeRef!, _ block: (() -> Void)!) {
    nonisolated(unsafe) let block = block!
    RunLoop.main.perform(inModes: [.common]) { block() }
}

public func CFRunLoopWakeUp(_ rl: CFRunLoop!) {}
