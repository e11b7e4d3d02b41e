#if canImport(Glibc)
import Foundation
import Glibc
import TestSupport
import Testing

@testable import NetworkIndicatorTerminal

@Suite struct StandardErrorDeviceTests {
    private final class Owner {}

    @Test func aFileIsNotATerminal() {
        let file = open("/dev/null", O_WRONLY)
        defer { close(file) }
        #expect(StandardErrorDevice(descriptor: file).conditions == nil)
    }

    /// On Linux, the system doesn't say how much the terminal has yet to read.
    @Test func framesPauseWhileTheTerminalReadsItsBuffer() throws {
        var (master, slave): (Int32, Int32) = (-1, -1)
        try #require(openpty(&master, &slave, nil, nil, nil) == 0)
        defer { for end in [master, slave] { close(end) } }
        let clock = TestClock()
        let device = StandardErrorDevice(descriptor: slave, clock: clock)
        let frame = [UInt8](repeating: UInt8(ascii: "x"), count: 3_000)
        var count = 3_000
        while count == 3_000 {
            #expect(device.isIdle)
            count = try #require(device.draw(frame))
        }
        clock.advance(by: .milliseconds(100))
        while count < 3_000 {
            var buffer = [UInt8](repeating: 0, count: 1_000)
            read(master, &buffer, buffer.count)
            count += try #require(device.draw(Array(frame.dropFirst(count))))
        }
        #expect(!device.isIdle)
        clock.advance(by: .milliseconds(999))
        #expect(!device.isIdle)
        clock.advance(by: .milliseconds(1))
        #expect(device.isIdle)
    }

    @Test(arguments: [100, 700, 1500])
    func rowsOnASlowTerminal(bytesPerFrame: Int) throws {
        var (master, slave): (Int32, Int32) = (-1, -1)
        try #require(openpty(&master, &slave, nil, nil, nil) == 0)
        defer { for end in [master, slave] { close(end) } }
        var size = winsize(ws_row: 30, ws_col: 100, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(master, UInt(TIOCSWINSZ), &size)
        _ = fcntl(master, F_SETFL, O_NONBLOCK)
        var terminal = TerminalEmulator(columns: 100)
        func show(_ limit: Int) -> Bool {
            var buffer = [UInt8](repeating: 0, count: limit)
            let count = read(master, &buffer, limit)
            terminal.feed(buffer.prefix(max(0, count)))
            return count > 0
        }
        // If a write blocks, the flush makes it return, so that the test fails instead of hanging.
        let watchdog = DispatchSource.makeTimerSource()
        watchdog.schedule(deadline: .now() + 60, repeating: 0.1)
        watchdog.setEventHandler { [slave] in tcflush(slave, TCOFLUSH) }
        watchdog.activate()
        defer { watchdog.cancel() }
        let screen = TerminalScreen(device: StandardErrorDevice(descriptor: slave))
        let owner = Owner()
        let begin = SuspendingClock().now
        screen.show(ObjectIdentifier(owner))
        for frame in 0..<40 {
            var block = TerminalBlock(["*"], "Label", colors: TerminalColors(usesColor: true, isUTF8: true))
            block.rows = (0..<20).map { .init("file \($0)", fraction: 0.5, time: "\(frame) MB") }
            let time = begin.advanced(by: .milliseconds(500 * frame))
            #expect(screen.draw(block, by: ObjectIdentifier(owner), at: time))
            _ = show(bytesPerFrame)
        }
        while !screen.hide(ObjectIdentifier(owner)) { _ = show(4096) }
        while show(4096) {}
        #expect(terminal.rows == [])
        let wraps = terminal.wraps
        #expect(wraps)
    }
}
#endif
