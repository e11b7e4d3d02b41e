#if canImport(Glibc)
import Foundation
import Synchronization

/// The job's own signal handlers, beside those of the indicator.
enum SignalActions {
    /// Handlers on several threads use this. It is initialised before a handler is installed.
    private static let count = Atomic(0)
    /// Written before the handler that reads it is installed.
    private nonisolated(unsafe) static let earlier = UnsafeMutablePointer<sigaction>.allocate(capacity: 1)

    static var handledCount: Int { count.load(ordering: .relaxed) }

    /// The actions of the signals that an indicator handles. 0 is the default, 1 is ignored, B is a handler that blocks
    /// all of them, and H is any other handler.
    static var description: String {
        let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP]
        return signals.map { signal in
            var action = sigaction()
            sigaction(signal, nil, &action)
            let address = unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
            if address == 0 || address == 1 { return "\(address)" }
            return signals.allSatisfy { sigismember(&action.sa_mask, $0) == 1 } ? "B" : "H"
        }.joined()
    }

    /// Installs a handler of SIGINT that reports whether it received the signal's information.
    static func handle(_ flags: String) {
        count.store(0, ordering: .relaxed)
        var action = sigaction()
        action.__sigaction_handler.sa_sigaction = { signal, info, context in
            let (_, number) = SignalActions.count.add(1, ordering: .relaxed)
            let isComplete = info?.pointee.si_signo == signal && context != nil
            let answer: StaticString = isComplete ? "handled completely\n" : "handled without information\n"
            if number < 5 { _ = write(4, answer.utf8Start, answer.utf8CodeUnitCount) }
        }
        action.sa_flags = SA_SIGINFO | (flags == "once" ? Int32(bitPattern: SA_RESETHAND) : 0)
        sigaction(SIGINT, &action, nil)
    }

    /// Runs `body` while its thread receives one SIGINT after another.
    static func interrupting(every microseconds: UInt32, _ body: () -> Void) {
        let target = pthread_self()
        let sender = Thread {
            while !Thread.current.isCancelled {
                usleep(microseconds)
                pthread_kill(target, SIGINT)
            }
        }
        sender.start()
        body()
        sender.cancel()
        while !sender.isFinished { usleep(200) }
    }

    /// Returns the result of a `read` that SIGINT interrupts: -1, unless the handler was installed with SA_RESTART.
    static func interruptedRead() -> Int {
        var ends: [Int32] = [-1, -1]
        pipe(&ends)
        let (reading, writing) = (ends[0], ends[1])
        let reader = pthread_self()
        let hasReturned = Atomic(false)
        let sender = Thread {
            // Sends signals until one arrives during the `read`. After two seconds, it ends the `read`.
            let end = SuspendingClock().now.advanced(by: .seconds(2))
            while !hasReturned.load(ordering: .acquiring), SuspendingClock().now < end {
                usleep(1000)
                pthread_kill(reader, SIGINT)
            }
            _ = write(writing, "x", 1)
        }
        sender.start()
        var byte: UInt8 = 0
        let count = read(reading, &byte, 1)
        hasReturned.store(true, ordering: .releasing)
        while !sender.isFinished { usleep(1000) }
        return count
    }

    /// Sets `errno` to 42, raises SIGINT on this thread, and returns `errno`.
    static func errnoAfterSIGINT() -> Int32 {
        errno = 42
        raise(SIGINT)
        return errno
    }

    /// Installs a handler of SIGINT that calls the earlier one.
    static func chain() {
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
