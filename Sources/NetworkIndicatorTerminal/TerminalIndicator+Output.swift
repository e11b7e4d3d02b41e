import Foundation
import NetworkIndicator

extension TerminalIndicator {
    /// Writes a line to standard error, above the row if one is drawn. This method is thread-safe.
    ///
    /// Below the line, the row appears as it was last drawn, and is soon updated. If the line reports an end, call
    /// ``redraw()`` first, so that the row doesn't show earlier progress.
    ///
    /// - Parameter text: The line, written unchanged and followed by a newline.
    public nonisolated func print(_ text: String) {
        screen.print(text)
        update()
    }

    /// Returns a green `✓` or a red `✗`, followed by a space, for the beginning of a line that reports a result.
    ///
    /// The colours follow the style and the environment variables, as for the rows. If the file descriptor isn't a
    /// terminal, or if the indicator would draw only ASCII characters, the result is `ok` or `FAILED`, also followed by
    /// a space.
    ///
    /// - Parameters:
    ///   - isSuccess: Whether the result is a success.
    ///   - descriptor: The file descriptor to which the line is written.
    public nonisolated func mark(isSuccess: Bool, on descriptor: Int32) -> String {
        let colors = emptyBlock.colors
        guard colors.hasSymbols && isatty(descriptor) == 1 else { return isSuccess ? "ok " : "FAILED " }
        return (isSuccess ? colors.success("✓") : colors.failure("✗")) + " "
    }

    /// Erases the row, and keeps it erased while `body` runs. This method is thread-safe, and calls may be nested.
    ///
    /// ```swift
    /// indicator.suspend {
    ///     Swift.print("a.txt: done")  // to standard output
    ///     fflush(nil)
    /// }
    /// ```
    ///
    /// If standard output is a pipe, as in `program | tee log`, the output may reach the terminal after `body` returns.
    /// In this case, the row stays erased for at least another 50 ms, or for half of `interval` if that is shorter.
    ///
    /// - Parameter body: A closure that writes the other output. It runs on the calling thread with SIGTTOU unblocked,
    ///   while the indicator holds no lock. After `stty tostop`, writing to the terminal therefore stops a background
    ///   process. The method returns what `body` returns, and throws what it throws.
    public nonisolated func suspend<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
        defer { update() }
        return try screen.suspend(until: { pauseEnd }, body)
    }

    /// Erases the row and the terminal's own progress bar until the indicator draws again. This method is thread-safe,
    /// but not async-signal-safe.
    ///
    /// No indicator draws for 50 ms, or for half of `interval` if that is shorter. Call this method right before the
    /// program re-raises a signal that it handled, or calls `_exit`. A call to `exit` erases the row automatically.
    public nonisolated func erase() { screen.erase(until: pauseEnd) }

    private nonisolated var pauseEnd: SuspendingClock.Instant {
        scheduler.now.advanced(by: min(interval / 2, .milliseconds(50)))
    }

    /// The output of `print` or `suspend` may report a file as complete, so the rows must no longer show that file's
    /// progress.
    private nonisolated func update() { if screen.isDrawn { requestUpdate() } }
}
