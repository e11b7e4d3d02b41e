import Foundation

/// Restores the terminal when a signal ends or stops the process, and when it exits.
///
/// Handlers are installed only while an indicator is visible. A process has one standard error and one set of signal
/// handlers, so it has one restorer.
///
/// `@unchecked Sendable`: the lock guards what `memory` and `handling` point to. A handler that has interrupted
/// the holder continues without the lock. So does one that has waited for a holder blocked in a write.
struct TerminalRestorer: @unchecked Sendable {
    /// `nil` if the system has no descriptors or thread-specific keys left. In that case, indicators draw nothing.
    static let shared = TerminalRestorer()

    private static let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP]

    /// The state of the handlers. It is never deallocated, because a handler may run at any time.
    private struct Memory {
        /// `TerminalMarks`, by its raw value.
        var marks = 0
        var hasExited = false
        var isInstalled = false
    }

    /// The earlier action of a signal, and the state of our handler.
    private struct Handling {
        var earlier = sigaction()
        var isInstalled = false
        /// The program has replaced our handler. The new one may call ours, so ours must not call the new one.
        var isReplaced = false
    }

    private let descriptor = STDERR_FILENO
    private let lock: SignalSafeLock
    private let memory: UnsafeMutablePointer<Memory>
    /// Indexed by the signal's number.
    private let handling: UnsafeMutablePointer<Handling>
    /// The bytes that erase the line, then those that clear the progress bar.
    private let cleaning: UnsafeMutablePointer<UInt8>
    private let eraseCount: Int
    private let cleaningCount: Int

    private init?() {
        guard let lock = SignalSafeLock() else { return nil }
        self.lock = lock
        memory = .allocate(capacity: 1)
        memory.initialize(to: Memory())
        handling = .allocate(capacity: 32)
        handling.initialize(repeating: Handling(), count: 32)
        let erase = Array("\r\u{1B}[J\(TerminalScreen.modes)".utf8)
        let sequences = erase + Array(TerminalProgress.clear.utf8)
        cleaning = .allocate(capacity: sequences.count)
        cleaning.initialize(from: sequences, count: sequences.count)
        eraseCount = erase.count
        cleaningCount = sequences.count
    }

    /// Runs `body` while no handler and no other thread uses the terminal. A frame waits at most 50 ms for that.
    ///
    /// - Returns: The result of `body`; `nil` if the lock can't be taken at all.
    func whileLocked(_ urgency: TerminalUrgency, _ body: () -> TerminalOutcome) -> TerminalOutcome? {
        switch lock.enter(handling: Self.signals, within: urgency == .frame ? Terminal.briefTimeout : -1) {
        case .entered: break
        case .occupied: return .busy
        case .refused: return nil
        }
        defer { lock.leave(handling: Self.signals) }
        return body()
    }

    // MARK: While locked

    var hasExited: Bool { memory.pointee.hasExited }

    /// The parts that are visible, or are about to be.
    var marks: TerminalMarks {
        get { TerminalMarks(rawValue: memory.pointee.marks) }
        nonmutating set { memory.pointee.marks = newValue.rawValue }
    }

    func uninstallIfClean() {
        if marks.isEmpty { uninstall() }
    }

    func install() {
        guard !memory.pointee.isInstalled else { return }
        memory.pointee.isInstalled = true
        _ = Self.atExit
        for signal in Self.signals {
            let handling = handling + Int(signal)
            var current = sigaction()
            sigaction(signal, nil, &current)
            let address = Terminal.handlerAddress(of: current)
            if address == Self.ownAddress {
                handling.pointee.isInstalled = true
                handling.pointee.isReplaced = false
            } else if address == 0 || address != 1 && !handling.pointee.isReplaced {
                handling.pointee.earlier = current
                let flags = address == 0 ? SA_RESTART : current.sa_flags & ~Self.resetFlag
                var action = Terminal.action(calling: handleSignal, flags: flags | SA_SIGINFO, like: current)
                // The handler performs the default action while it holds the lock. Another handler on this thread would
                // wait for the lock in vain, so the mask blocks the other signals.
                if address == 0 { for other in Self.signals { sigaddset(&action.sa_mask, other) } }
                sigaction(signal, &action, nil)
                handling.pointee.isInstalled = true
            }
        }
    }

    private func uninstall() {
        guard memory.pointee.isInstalled else { return }
        memory.pointee.isInstalled = false
        for signal in Self.signals {
            let handling = handling + Int(signal)
            guard handling.pointee.isInstalled else { continue }
            handling.pointee.isInstalled = false
            var current = sigaction()
            sigaction(signal, nil, &current)
            if Terminal.handlerAddress(of: current) == Self.ownAddress {
                sigaction(signal, &handling.pointee.earlier, nil)
            } else {
                handling.pointee.isReplaced = true
            }
        }
    }

    private static let ownAddress = unsafeBitCast(handleSignal as Terminal.SignalHandler, to: Int.self)
    static let atExit: Void = { _ = atexit { TerminalRestorer.shared?.exit() } }()

    private static var resetFlag: Int32 { Int32(truncatingIfNeeded: SA_RESETHAND) }

    // MARK: In a signal handler

    // The code below must not allocate, count references, lock a mutex or initialise a global.

    fileprivate func handle(
        _ signal: Int32, _ info: UnsafeMutablePointer<siginfo_t>?, _ context: UnsafeMutableRawPointer?
    ) {
        let isInside = lock.enterFromHandler()
        cleanUp()
        let handling = handling + Int(signal)
        let earlier = handling.pointee.earlier
        let address = Terminal.handlerAddress(of: earlier)
        // This happens while the lock is held, so that no other thread draws before the process has stopped or ended.
        if address == 0 { performDefaultAction(of: signal) }
        if earlier.sa_flags & Self.resetFlag != 0 { handling.pointee.earlier = sigaction() }
        if isInside { lock.leaveFromHandler() }
        if address > 1 || address < 0 { Terminal.call(earlier, signal, info, context) }
    }

    private func performDefaultAction(of signal: Int32) {
        var action = sigaction()
        var replaced = sigaction()
        sigaction(signal, &action, &replaced)
        var unblocked = sigset_t()
        var mask = sigset_t()
        sigemptyset(&unblocked)
        sigaddset(&unblocked, signal)
        pthread_sigmask(SIG_UNBLOCK, &unblocked, &mask)
        raise(signal)
        // The code continues here after SIGTSTP and SIGCONT. It also does in a process that can't be killed, such as
        // the first process of a container.
        pthread_sigmask(SIG_SETMASK, &mask, nil)
        sigaction(signal, nil, &action)
        if Terminal.handlerAddress(of: action) == 0 { sigaction(signal, &replaced, nil) }
    }

    private func exit() {
        Terminal.blocking(Self.signals) {
            let isInside = lock.enterFromHandler()
            cleanUp()
            memory.pointee.hasExited = true
            if isInside { lock.leaveFromHandler() }
        }
    }

    private func cleanUp() {
        let marks = memory.pointee.marks
        // The program may have redirected standard error.
        guard marks != 0, isatty(descriptor) == 1, Terminal.isForeground(descriptor) else {
            memory.pointee.marks = 0
            return
        }
        // The marks stay: if the program survives, it erases the row later.
        guard Terminal.isWritable(descriptor, within: Terminal.timeout) else { return }
        memory.pointee.marks = 0
        let start = marks & 1 == 0 ? eraseCount : 0
        let end = marks & 2 == 0 ? eraseCount : cleaningCount
        _ = write(descriptor, cleaning + start, end - start)
    }
}

private func handleSignal(
    _ signal: Int32, _ info: UnsafeMutablePointer<siginfo_t>?, _ context: UnsafeMutableRawPointer?
) {
    let error = errno
    TerminalRestorer.shared?.handle(signal, info, context)
    errno = error
}
