import Foundation
public import NetworkIndicator

/// A spinner, a label and a progress bar on the terminal, for command-line programs.
///
/// The indicator draws on standard error, never on standard output, and only if standard error is a terminal. By default it
/// writes nothing if `TERM` is `dumb`, or if `CI` or `ACCESSIBLE` is set. In the background it draws nothing, and continues
/// in the foreground. While it is off it needs no timer, unless it shows an idle text.
///
/// ```swift
/// let indicator = TerminalIndicator {
///     "Fetching \(queue.operationCount) files"
/// }
/// NetworkIndicatorManager.shared.attach(indicator)
/// // …
/// indicator.print("a.txt: done")  // appears above the spinner
/// ```
///
/// Send other output to the same terminal through ``print(_:)`` or ``suspend(_:)``, from any thread. The indicator can't
/// prevent other output over the row. It draws the row again within half a second, below that output.
///
/// The cursor stays visible, in the blank first column. The indicator changes nothing that must be restored, and handles
/// no signals. When the program exits, the row is erased. After a crash or a signal the last row stays as text. A program
/// that handles signals itself detaches the indicator, or calls ``erase()``, before it ends. Ctrl-C drops what a slow
/// terminal has not read yet, which can be the end of a frame. Then ``erase()`` also switches line wrapping on again.
///
/// All indicators of a process share one row. The indicator shown last draws. An indicator stays alive while it is on.
@MainActor
public final class TerminalIndicator: ActivityIndicator {
    private let lines: TerminalLineSource
    private let interval: Duration
    private let plainLines: Bool
    private let draws: Bool
    private let screen: TerminalScreen
    private let scheduler: any ActivityScheduler

    private var isVisible = false
    /// The line that a log shows while the indicator is on.
    private var loggedLine: TerminalLine?
    /// Exists while any part of the indicator is on the screen.
    private var timer: (any ActivityTimer)?
    /// Whether other output was written since the last frame, so that its numbers are old.
    private let isOld = Lock(false)

    /// Creates an indicator that is off. Any thread.
    ///
    /// This reads the environment. Each frame reads the terminal's size, and calls `label` and `fraction`. The numbers on
    /// the row change at most twice a second, when the indicator calls `details` and `rows`. A new label, the full bar,
    /// a fraction that becomes known or unknown, and ``redraw()`` update everything immediately. The indicator calls all
    /// closures on the main actor and outside every lock.
    ///
    /// - Parameters:
    ///   - label: The text beside the spinner. If the window is too narrow, the text ends in `…`. A text with a dot and
    ///     without spaces is a file's name, and is cut in the middle. Here and in all other texts on the rows, line
    ///     breaks and tabs become spaces, and other control characters and escape sequences are dropped. ``print(_:)``
    ///     keeps them.
    ///   - fraction: The progress from 0 to 1, shown as a bar and a percentage. `nil` and NaN stand for unknown. Other
    ///     values are clamped. The percentage doesn't fall while the indicator is on. To start over, return `nil` once.
    ///   - details: Columns after the percentage. In a narrow window, the bar is dropped first, then the details with
    ///     the lowest priority.
    ///   - rows: More rows below the main one, with aligned columns. They are drawn only if the window has at least 40
    ///     columns, and room for at least two rows besides these. They disappear for a second when the window's width
    ///     changes.
    ///   - frames: The spinner's pictures, shown in turn. By default, and if empty, they are braille dots, or `-\|/` if
    ///     the locale or the console lacks such characters.
    ///   - interval: How long each picture is shown: 100 ms by default, at least 20 ms.
    ///   - animation: Whether to draw. `.always` ignores the environment, but still needs a terminal.
    ///   - color: Whether to use colours. `.auto` follows `NO_COLOR`, `FORCE_COLOR`, `CLICOLOR_FORCE` and `CLICOLOR`.
    ///   - progress: Whether to use the terminal's own progress bar too. `.auto` uses it only on terminals that are
    ///     known to have one. Others may show a notification instead.
    ///   - plainLines: Whether to write lines where the indicator doesn't draw, as in logs: one when it goes on, and
    ///     one when it goes off. The lines contain no control characters. If the output is blocked, they are written
    ///     later, and the program's exit waits for them up to a second.
    public nonisolated convenience init(
        label: @escaping @MainActor @Sendable () -> String,
        fraction: (@MainActor @Sendable () -> Double?)? = nil,
        details: (@MainActor @Sendable () -> [Detail])? = nil,
        rows: (@MainActor @Sendable () -> [Row])? = nil,
        frames: [String] = [], interval: Duration = .milliseconds(100),
        animation: Mode = .auto, color: Mode = .auto, progress: Mode = .auto, plainLines: Bool = false
    ) {
        self.init(
            label: label, fraction: fraction, details: details, rows: rows, frames: frames, interval: interval,
            animation: animation, color: color, progress: progress, plainLines: plainLines,
            environment: TerminalEnvironment(ProcessInfo.processInfo.environment), screen: .standardError,
            scheduler: MainScheduler())
    }

    package nonisolated init(
        label: @escaping @MainActor @Sendable () -> String,
        fraction: (@MainActor @Sendable () -> Double?)? = nil,
        details: (@MainActor @Sendable () -> [Detail])? = nil,
        rows: (@MainActor @Sendable () -> [Row])? = nil,
        frames: [String] = [], interval: Duration = .milliseconds(100), animation: Mode = .auto, color: Mode = .auto,
        progress: Mode = .auto, plainLines: Bool = false, environment: TerminalEnvironment, screen: TerminalScreen,
        scheduler: any ActivityScheduler
    ) {
        let style = TerminalStyle(environment, color, isTerminal: true)
        let emptyLine = TerminalLine(glyph: "", label: "", style: style, progress: environment.progress(progress))
        lines = TerminalLineSource(
            label: label, fraction: fraction, details: details, rows: rows,
            frames: frames.isEmpty ? environment.frames : frames, emptyLine: emptyLine)
        self.interval = interval.clamped(to: .milliseconds(20) ... .longest)
        self.plainLines = plainLines
        draws = animation == .always || animation == .auto && environment.welcomesAnimation
        self.screen = screen
        self.scheduler = scheduler
    }

    /// Shows or hides the spinner. Idempotent; the manager calls it.
    ///
    /// - Parameter isVisible: `true` to draw a frame now and at each interval, `false` to erase the row.
    public func setVisible(_ isVisible: Bool) {
        guard isVisible != self.isVisible else { return }
        self.isVisible = isVisible
        lines.reset()
        if isVisible { show() } else { hide() }
    }

    /// Draws an additional frame now, between those at each interval. Does nothing while the indicator is off. While
    /// the row is erased or suspended, the frame appears when the row is next drawn.
    ///
    /// Call this for a state that must be seen, such as the full bar right before the indicator goes off.
    public func redraw() {
        if isVisible, timer != nil { tick(isUpdate: true) }
    }

    /// A grey row without a spinner that is shown while the indicator is off, such as `⏸ 2 waiting, next in 3 s`.
    ///
    /// Like the indicator, it is drawn only on a terminal and in the foreground, and is cut to the window's width.
    /// `nil`, the default, erases it.
    public var idleText: String? {
        didSet { if idleText != oldValue, !isVisible { rest() } }
    }

    /// Writes a line to standard error, above the spinner if it is visible. Any thread.
    ///
    /// The line and the row below it are one write. All numbers on the row are then updated.
    ///
    /// - Parameter text: The line, written unchanged. A newline is added.
    public nonisolated func print(_ text: String) {
        screen.print(text)
        update()
    }

    /// Removes the spinner from the screen while other code writes there. Any thread; calls may be nested.
    ///
    /// ```swift
    /// indicator.suspend {
    ///     Swift.print("a.txt: done")  // to standard output
    ///     fflush(nil)
    /// }
    /// ```
    ///
    /// The row appears again when `body` has returned. If standard output is a pipe, as in `program | tee log`, the output
    /// may reach the terminal later. The row then appears at least 50 ms later, or half an interval if that is shorter.
    ///
    /// - Parameter body: Writes the other output, on this thread and outside every lock. SIGTTOU is unblocked on the
    ///   thread. In the background, output therefore stops the process if the terminal is set to `tostop`.
    /// - Returns: The value that `body` returns.
    /// - Throws: The error that `body` throws.
    public nonisolated func suspend<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
        defer { update() }
        return try screen.suspend(until: { pauseEnd }, body)
    }

    /// Erases the row, and the terminal's own progress bar, for at least 50 ms, or half an interval if that is shorter.
    /// The next frame draws them again. Any thread.
    ///
    /// Call this right before the program ends by a signal that it handles, or by `_exit`. An exit erases the row
    /// itself.
    public nonisolated func erase() {
        screen.erase(until: pauseEnd)
    }

    /// The earliest time of a frame after an erasure.
    private nonisolated var pauseEnd: SuspendingClock.Instant {
        scheduler.now.advanced(by: min(interval / 2, .milliseconds(50)))
    }

    /// Draws new numbers after other output. For example, a row may be of a file that the output reports as complete.
    private nonisolated func update() {
        if !markOld(), screen.isDrawn { scheduler.performOnMain { self.redraw() } }
    }

    /// - Returns: Whether the numbers were old already.
    private nonisolated func markOld() -> Bool {
        var isOld = true
        self.isOld.withLock { swap(&$0, &isOld) }
        return isOld
    }

    // MARK: Drawing

    private func show() {
        if draws && screen.isTerminal {
            screen.show(ObjectIdentifier(self))
            startTicking(every: interval)
        } else if plainLines {
            let line = lines.next(at: scheduler.now)
            loggedLine = line
            screen.log("\(line.plainText) ...")
        }
    }

    private func hide() {
        if let line = loggedLine.take() { screen.log("\(line.plainText) ... done") } else { rest() }
    }

    /// Shows the idle text, if there is one. Otherwise erases the row.
    private func rest() {
        guard draws && screen.isTerminal else { return }
        if idleText != nil { screen.show(ObjectIdentifier(self), isStill: true) }
        // If erasing fails, the next tick tries again soon. A still row is drawn again each second, so that it reappears
        // after `fg`.
        startTicking(every: idleText == nil ? min(interval, .milliseconds(100)) : .seconds(1))
    }

    private func startTicking(every interval: Duration) {
        timer?.cancel()
        timer = scheduler.schedule(at: scheduler.now.advanced(by: interval), repeatingEvery: interval) { self.tick() }
        tick()
    }

    /// Draws a frame, or erases the last one. If the terminal is blocked, the next tick tries again.
    private func tick(isUpdate: Bool = false) {
        let now = scheduler.now
        var line = idleText.map(lines.stillLine)
        if isVisible {
            // Output of the label's closure, for example, must not cause the next frame.
            line = lines.next(at: now, isUpdate: markOld() || isUpdate)
            isOld.withLock { $0 = false }
        }
        let owner = ObjectIdentifier(self)
        let isDone = line.map { !screen.draw($0, by: owner, at: now) } ?? screen.hide(owner)
        if isDone {
            timer?.cancel()
            timer = nil
        }
    }
}
