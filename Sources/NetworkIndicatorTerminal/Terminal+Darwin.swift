#if canImport(Darwin)
import Darwin

extension Terminal {
    typealias SignalHandler =
        @convention(c) (Int32, UnsafeMutablePointer<siginfo_t>?, UnsafeMutableRawPointer?) -> Void

    /// The size of the terminal's window; zeros if it is unknown.
    static func windowSize(of descriptor: Int32) -> (columns: Int, rows: Int) {
        var size = winsize()
        return ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? (Int(size.ws_col), Int(size.ws_row)) : (0, 0)
    }

    /// How many bytes a read would return without waiting.
    static func readableBytes(of descriptor: Int32) -> Int {
        var count: Int32 = 0
        // FIONREAD is _IOR('f', 127, int). Swift doesn't import such macros.
        return ioctl(descriptor, 0x4004_667F, &count) == 0 ? Int(count) : 0
    }

    /// Writes without causing a SIGPIPE if nothing reads. The signal goes to the process, so it isn't enough that this
    /// thread blocks it.
    static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int {
        let earlier = fcntl(descriptor, F_GETNOSIGPIPE)
        _ = fcntl(descriptor, F_SETNOSIGPIPE, 1)
        // The flag belongs to the open file, which other programs may share.
        defer { if earlier == 0 { _ = fcntl(descriptor, F_SETNOSIGPIPE, 0) } }
        return Darwin.write(descriptor, bytes.baseAddress, bytes.count)
    }

    /// The address of an action's handler: 0 for the default action, 1 for ignoring.
    static func handlerAddress(of action: sigaction) -> Int {
        unsafeBitCast(action.__sigaction_u.__sa_handler, to: Int.self)
    }

    /// An action that calls a handler, with these flags and with the mask of another action.
    static func action(calling handler: @escaping SignalHandler, flags: Int32, like earlier: sigaction) -> sigaction {
        var action = earlier
        action.__sigaction_u = .init(__sa_sigaction: handler)
        action.sa_flags = flags
        return action
    }

    /// Calls an action's handler with the arguments that the system would pass.
    static func call(
        _ action: sigaction, _ signal: Int32, _ info: UnsafeMutablePointer<siginfo_t>?,
        _ context: UnsafeMutableRawPointer?
    ) {
        if action.sa_flags & SA_SIGINFO != 0 {
            action.__sigaction_u.__sa_sigaction?(signal, info, context)
        } else {
            action.__sigaction_u.__sa_handler?(signal)
        }
    }
}
#endif
