#if canImport(Glibc)
import Foundation

/// The job's own signal handlers, which an indicator must get along with.
enum SignalActions {
    /// What a handler touches: initialised before one is installed.
    private nonisolated(unsafe) static let count = UnsafeMutablePointer<Int>.allocate(capacity: 1)
    private nonisolated(unsafe) static let earlier = UnsafeMutablePointer<sigaction>.allocate(capacity: 1)

    static var handledCount: Int { count.pointee }

    /// The actions of the signals that an indicator handles: 0 for the default, 1 for ignored, H for a handler.
    static var description: String {
        [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP].map { signal in
            var action = sigaction()
            sigaction(signal, nil, &action)
            let address = unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
            return address == 0 || address == 1 ? "\(address)" : "H"
        }.joined()
    }

    /// Installs a handler of SIGINT that answers `handled` with the number it finds in the signal's information.
    static func handle(_ flags: String) {
        count.initialize(to: 0)
        var action = sigaction()
        action.__sigaction_handler.sa_sigaction = { signal, info, context in
            SignalActions.count.pointee += 1
            let isComplete = info?.pointee.si_signo == signal && context != nil
            let answer: StaticString = isComplete ? "handled completely\n" : "handled without information\n"
            if SignalActions.count.pointee < 5 { _ = write(4, answer.utf8Start, answer.utf8CodeUnitCount) }
        }
        action.sa_flags = SA_SIGINFO | (flags == "once" ? Int32(bitPattern: SA_RESETHAND) : 0)
        sigaction(SIGINT, &action, nil)
    }

    /// What `read` returns when SIGINT comes while it waits: -1, unless the handler wants it to be started again.
    static func interruptedRead() -> Int {
        var ends: [Int32] = [-1, -1]
        pipe(&ends)
        let (reading, writing) = (ends[0], ends[1])
        let reader = pthread_self()
        Thread.detachNewThread {
            for _ in 0..<50 {
                usleep(1000)
                pthread_kill(reader, SIGINT)
            }
            _ = write(writing, "x", 1)
        }
        var byte: UInt8 = 0
        return read(reading, &byte, 1)
    }

    /// Installs a handler of SIGINT that calls the one before it.
    static func chain() {
        count.initialize(to: 0)
        earlier.initialize(to: sigaction())
        var action = sigaction()
        action.__sigaction_handler.sa_sigaction = { signal, info, context in
            let answer: StaticString = "chained\n"
            _ = write(4, answer.utf8Start, answer.utf8CodeUnitCount)
            SignalActions.earlier.pointee.__sigaction_handler.sa_sigaction?(signal, info, context)
        }
        action.sa_flags = SA_SIGINFO
        sigaction(SIGINT, &action, SignalActions.earlier)
    }
}
#endif
