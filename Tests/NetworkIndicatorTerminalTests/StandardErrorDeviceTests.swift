#if canImport(Glibc)
import Foundation
import Glibc
import TestSupport
import Testing

@testable import NetworkIndicatorTerminal

@Suite struct StandardErrorDeviceTests {
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
        // If a write blocks, this reader makes it return, so that the test fails instead of hanging.
        let watchdog = DispatchSource.makeTimerSource()
        watchdog.schedule(deadline: .now() + 60, repeating: 0.01)
        watchdog.setEventHandler { [master] in
            var buffer = [UInt8](repeating: 0, count: 1_000)
            read(master, &buffer, buffer.count)
        }
        watchdog.activate()
        defer { watchdog.cancel() }
        let clock = TestClock()
        let device = StandardErrorDevice(descriptor: slave, clock: clock)
        let frame = (0..<3_000).map { UInt8(ascii: "a") + UInt8($0 % 26) }
        var (count, frames, received) = (3_000, 0, [UInt8]())
        while count == 3_000, frames < 100 {
            #expect(device.isIdle)
            count = try #require(device.draw(frame))
            frames += 1
        }
        clock.advance(by: .milliseconds(100))
        while count < 3_000 {
            var buffer = [UInt8](repeating: 0, count: 1_000)
            let size = read(master, &buffer, buffer.count)
            received += buffer.prefix(max(0, size))
            count += try #require(device.draw(Array(frame.dropFirst(count))))
        }
        let isInOrder = received.indices.allSatisfy { received[$0] == frame[$0 % frame.count] }
        #expect(isInOrder)
        #expect(!device.isIdle)
        clock.advance(by: .milliseconds(999))
        #expect(!device.isIdle)
        clock.advance(by: .milliseconds(1))
        #expect(device.isIdle)
    }
}
#endif
