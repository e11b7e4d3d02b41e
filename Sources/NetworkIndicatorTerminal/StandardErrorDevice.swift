import Foundation
import NetworkIndicator
import NetworkIndicatorProgress

final class StandardErrorDevice: TerminalDevice {
    #if canImport(Darwin)
    private static let (inputQueue, outputQueue): (UInt, UInt) = (0x4004_667F, 0x4004_7473)  // FIONREAD, TIOCOUTQ
    #else
    private static let (inputQueue, outputQueue) = (UInt(FIONREAD), UInt(TIOCOUTQ))
    #endif

    private let descriptor: Int32
    private let now: @Sendable () -> Duration
    /// Other programs may share the open file description of `descriptor`, and O_NONBLOCK would affect them too. If
    /// possible, frames are therefore written through an open file description of their own.
    private let output: Int32
    /// When the terminal's buffer was full, and when the terminal has probably read it.
    private let backlog = Lock((begin: Duration?.none, end: Duration.zero))

    init(descriptor: Int32 = STDERR_FILENO, clock: any Clock<Duration> = SuspendingClock()) {
        (self.descriptor, now) = (descriptor, clock.stopwatch())
        output = Self.openWithoutBlocking(descriptor) ?? descriptor
    }

    deinit { if output != descriptor { close(output) } }

    var conditions: TerminalConditions? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 || isatty(descriptor) == 1 else { return nil }
        // `tcgetpgrp` fails unless the terminal is the process's controlling terminal. For any other terminal, the
        // process can't be in the background.
        let group = tcgetpgrp(descriptor)
        return TerminalConditions(
            columns: size.ws_col > 0 ? Int(size.ws_col) : 80, rows: Int(size.ws_row), typedBytes: typedBytes,
            isForeground: group < 0 || group == getpgrp())
    }

    private var typedBytes: Int {
        let count = queueLength(Self.inputQueue)
        guard count > 0 else { return 0 }
        var settings = termios()
        let flags = tcflag_t(ICANON) | tcflag_t(ECHO)
        return tcgetattr(descriptor, &settings) == 0 && settings.c_lflag & flags == flags ? count : 0
    }

    var isIdle: Bool {
        // On Linux, the output queue of a pseudo-terminal always seems to be empty.
        guard queueLength(Self.outputQueue) == 0 else { return false }
        let now = now()
        return backlog.withLock { $0.end <= now }
    }

    /// After a frame that was accepted in two parts, the buffer is full. It holds about ten times as much as the second
    /// part.
    private func noteWrite(isPart: Bool) {
        let now = now()
        backlog.withLock { backlog in
            if isPart {
                backlog.begin = backlog.begin ?? now
            } else if let begin = backlog.begin.take() {
                backlog.end = now + min((now - begin) * 10, .seconds(5))
            }
        }
    }

    private func queueLength(_ request: UInt) -> Int {
        var count: Int32 = 0
        return ioctl(descriptor, request, &count) == 0 ? Int(count) : 0
    }

    /// A pipe or a socket has no file position, and its reader may forward the data to the terminal.
    var isOutputDelayed: Bool { isatty(STDOUT_FILENO) == 0 && lseek(STDOUT_FILENO, 0, SEEK_CUR) < 0 && errno == ESPIPE }

    func wait(within milliseconds: Int32) -> TerminalOutcome {
        var query = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        var count: Int32
        repeat { count = poll(&query, 1, milliseconds) } while count < 0 && errno == EINTR
        if count == 0 { return .busy }
        // On macOS, `poll` sets POLLNVAL for /dev/tty, so this flag is ignored.
        return Int32(query.revents) & (POLLERR | POLLHUP) == 0 ? .written : .failed
    }

    func draw(_ bytes: [UInt8]) -> Int? {
        // After `stty tostop`, SIGTTOU would stop a process that has just moved to the background.
        let count = maskingSIGTTOU(SIG_BLOCK) { drawParts(bytes) }
        // After Ctrl-S, the terminal accepts nothing, although its buffer isn't full.
        if let count, count > 0 { noteWrite(isPart: count < bytes.count) }
        return count
    }

    private static func openWithoutBlocking(_ descriptor: Int32) -> Int32? {
        var name = [CChar](repeating: 0, count: 1_024)
        guard ttyname_r(descriptor, &name, name.count) == 0 else { return nil }
        let own = open(name, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        return own < 0 ? nil : own
    }

    /// Even a fast terminal needs time to read a long frame, so this method waits between the writes. In total, it
    /// waits for at most 18 ms, because it may run on the main actor. A full buffer accepts more only when a whole
    /// write has been read, so long frames are written in parts.
    private func drawParts(_ bytes: [UInt8]) -> Int? {
        var (count, waits) = (0, 0)
        while count < bytes.count {
            if output == descriptor || waits > 0 {
                let outcome = wait(within: waits > 0 ? 2 : 0)
                guard outcome == .written else { return outcome == .failed ? nil : count }
            }
            let written = bytes[count...].withUnsafeBytes {
                Foundation.write(output, $0.baseAddress, min($0.count, 256))
            }
            if written < 0, errno != EINTR {
                waits += 1
                guard errno == EAGAIN, count > 0, waits < 10 else { return errno == EAGAIN ? count : nil }
            }
            count += max(0, written)
        }
        return count
    }

    func discard() { tcflush(descriptor, TCOFLUSH) }

    func write(_ text: String) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty, wait(within: -1) == .written {
            let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno != EAGAIN, errno != EINTR { return }
            rest = rest.dropFirst(max(0, count))
        }
    }
}

func maskingSIGTTOU<R, E: Error>(_ change: Int32, _ body: () throws(E) -> R) throws(E) -> R {
    var set = sigset_t()
    var earlier = sigset_t()
    sigemptyset(&set)
    sigaddset(&set, SIGTTOU)
    pthread_sigmask(change, &set, &earlier)
    defer { pthread_sigmask(SIG_SETMASK, &earlier, nil) }
    return try body()
}
