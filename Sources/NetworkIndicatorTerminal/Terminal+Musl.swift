#if canImport(Musl)
import Musl

extension Terminal {
    typealias SignalHandler =
        @convention(c) (Int32, UnsafeMutablePointer<siginfo_t>?, UnsafeMutableRawPointer?) -> Void

    /// The size of the terminal's window; zeros if it is unknown.
    static func windowSize(of descriptor: Int32) -> (columns: Int, rows: Int) {
        var size = winsize()
        return ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 ? (Int(size.ws_col), Int(size.ws_row)) : (0, 0)
    }

    /// How many bytes a read would return without waiting.
    static func readableBytes(of descriptor: Int32) -> Int {
        var count: Int32 = 0
        return ioctl(descriptor, UInt(FIONREAD), &count) == 0 ? Int(count) : 0
    }

    /// The address of an action's handler: 0 for the default action, 1 for ignoring.
    static func handlerAddress(of action: sigaction) -> Int {
        unsafeBitCast(action.__sa_handler.sa_handler, to: Int.self)
    }

    /// An action that calls a handler, with these flags and with the mask of another action.
    static func action(calling handler: @escaping SignalHandler, flags: Int32, like earlier: sigaction) -> sigaction {
        var action = earlier
        action.__sa_handler = .init(sa_sigaction: handler)
        action.sa_flags = flags
        return action
    }

    /// Calls an action's handler with the arguments that the system would pass.
    static func call(
        _ action: sigaction, _ signal: Int32, _ info: UnsafeMutablePointer<siginfo_t>?,
        _ context: UnsafeMutableRawPointer?
    ) {
        if action.sa_flags & SA_SIGINFO != 0 {
            action.__sa_handler.sa_sigaction?(signal, info, context)
        } else {
            action.__sa_handler.sa_handler?(signal)
        }
    }
}
#endif
