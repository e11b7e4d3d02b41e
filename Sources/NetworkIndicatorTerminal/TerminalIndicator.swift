import Foundation
public import NetworkIndicator

/// A spinner, a label and a progress bar on the terminal, for command-line programs.
///
/// The indicator draws on standard error, never on standard output, and only if standard error is a terminal. By
/// default it writes nothing if `TERM` is `dumb`, or if `CI` or `ACCESSIBLE` is set. While the program is in the
/// background, the indicator draws nothing. It draws again when the program returns to the foreground. While the
/// indicator is off, it has no timer unless it shows ``idleText``. The timer's thread ends within half a second.
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
/// Send other output to the same terminal through ``print(_:)`` or ``suspend(_:)``, from any thread. The indicator
/// can't prevent other code from writing over the row. If that happens, the indicator draws the row again below that
/// output within half a second.
///
/// The cursor stays visible, in the blank first column. The indicator changes nothing that must be restored, and
/// handles no signals. When the program exits, the row is erased. After a crash or a signal, the last row stays on the
/// screen as text. If your program handles signals, detach the indicator or call ``erase()`` before the program ends.
/// Ctrl-C discards output that a slow terminal has not read yet, such as the end of a frame. ``erase()`` therefore also
/// turns line wrapping on. Without ``erase()``, line wrapping may stay off if Ctrl-C comes within seconds of the first
/// frame.
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
    private let startTimer: StartTimer

    private var isVisible = false
    /// The line that was logged when the indicator turned on, or `nil` if none was.
    private var loggedLine: TerminalLine?
    /// The timer of frames. It exists while any part of the indicator is on the screen.
    private var timer: (any ActivityTimer)?
    /// Whether the main actor is going to draw a frame with new numbers.
    private let isUpdateRequested = Lock(false)

    /// Starts the timer of frames, which may call its closure on any thread.
    package typealias StartTimer = @MainActor @Sendable (Duration, @escaping @Sendable () -> Void) -> any ActivityTimer

    /// The longest time between two updates of the numbers. Ten updates a second would be illegible, would triple the
    /// output, and would wake the main actor each time.
    private static let updateInterval = Duration.milliseconds(500)

    /// Creates an indicator that is off. Any thread.
    ///
    /// The initializer reads the environment. About twice a second, the indicator calls all closures on the main actor,
    /// without holding a lock, and draws the whole row. It also does this after ``redraw()`` and ``print(_:)``, and if
    /// the window's size changes. Between these calls, a thread of the indicator draws the spinner's pictures. If the
    /// main actor is blocked, the spinner stops.
    ///
    /// - Parameters:
    ///   - label: The text beside the spinner. If the window is too narrow, the text ends in `…`. Text with a dot and
    ///     without spaces is treated as a file's name and cut in the middle. In all text on the rows, line breaks and
    ///     tabs become spaces, and other control characters and escape sequences are dropped. ``print(_:)`` writes its
    ///     text unchanged.
    ///   - fraction: The progress from 0 to 1, shown as a bar and a percentage. `nil` and NaN mean that the progress is
    ///     unknown. Other values are clamped. The percentage doesn't fall while the indicator is on. To start over,
    ///     return `nil` once.
    ///   - details: Columns after the percentage. In a narrow window, the bar is dropped first, then the details with
    ///     the lowest priority.
    ///   - rows: More rows below the main row, with aligned columns. They are drawn only if the window has at least 40
    ///     columns, and room for at least two other rows. When the window's width changes, these rows are hidden for a
    ///     second.
    ///   - frames: The spinner's pictures, shown in turn, and padded to the same width. If the array is empty, the
    ///     pictures are braille dots, or `-\|/` if the locale or the console lacks such characters.
    ///   - interval: The time for which each picture is shown. The default is 100 ms, and the minimum is 20 ms. If the
    ///     interval is longer than 500 ms, the indicator also calls the closures only after each interval.
    ///   - animation: Whether to draw. `.always` ignores the environment, but draws only on a terminal.
    ///   - color: Whether to use colours. `.auto` follows `NO_COLOR`, `FORCE_COLOR`, `CLICOLOR_FORCE` and `CLICOLOR`.
    ///   - progress: Whether to use the terminal's own progress bar as well. `.auto` uses the bar only on terminals
    ///     that are known to have one. Other terminals may show a notification instead.
    ///   - plainLines: Whether to write lines where the indicator doesn't draw, such as in logs. It writes one line
    ///     when it turns on, and one when it turns off. The lines contain no control characters. If the output is
    ///     blocked, the lines are written later. At exit, the program waits up to a second for these lines.
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
            scheduler: MainScheduler(), startTimer: { FrameThread(every: $0, $1) })
    }

    package nonisolated init(
        label: @escaping @MainActor @Sendable () -> String,
        fraction: (@MainActor @Sendable () -> Double?)? = nil,
        details: (@MainActor @Sendable () -> [Detail])? = nil,
        rows: (@MainActor @Sendable () -> [Row])? = nil,
        frames: [String] = [], interval: Duration = .milliseconds(100), animation: Mode = .auto, color: Mode = .auto,
        progress: Mode = .auto, plainLines: Bool = false, environment: TerminalEnvironment, screen: TerminalScreen,
        scheduler: any ActivityScheduler, startTimer: StartTimer? = nil
    ) {
        let style = TerminalStyle(environment, color, isTerminal: true)
        var emptyLine = TerminalLine(glyph: "", label: "", style: style, progress: environment.progress(progress))
        emptyLine.pictures = TerminalLine.pictures(frames.isEmpty ? environment.frames : frames, style)
        lines = TerminalLineSource(
            label: label, fraction: fraction, details: details, rows: rows, emptyLine: emptyLine)
        self.interval = interval.clamped(to: .milliseconds(20) ... .longest)
        self.plainLines = plainLines
        draws = animation == .always || animation == .auto && environment.welcomesAnimation
        self.screen = screen
        self.scheduler = scheduler
        self.startTimer =
            startTimer ?? { interval, work in
                scheduler.schedule(at: scheduler.now.advanced(by: interval), repeatingEvery: interval) { work() }
            }
    }

    /// Shows or hides the spinner. Idempotent. The manager calls this method.
    ///
    /// - Parameter isVisible: `true` to draw a frame now and at each interval, `false` to erase the row.
    public func setVisible(_ isVisible: Bool) {
        guard isVisible != self.isVisible else { return }
        self.isVisible = isVisible
        lines.reset()
        if isVisible { show() } else { hide() }
    }

    /// Draws an additional frame now, without waiting for the next interval. Does nothing while the indicator is off.
    /// While the row is erased or suspended, the frame appears when the row is next drawn.
    ///
    /// Call this for a state that must be seen, such as the full bar right before the indicator turns off.
    public func redraw() {
        if isVisible, timer != nil { draw() }
    }

    /// A grey row without a spinner that is shown while the indicator is off, such as `⏸ 2 waiting, next in 3 s`.
    ///
    /// Like the indicator, this row is drawn only on a terminal and in the foreground, and is cut to the window's
    /// width. `nil`, the default, erases the row.
    public var idleText: String? {
        didSet { if idleText != oldValue, !isVisible { rest() } }
    }

    /// Writes a line to standard error, above the spinner if it is visible. Any thread.
    ///
    /// The indicator writes the line and the row below it together. It then updates all numbers on the row.
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
    /// The row appears again after `body` returns. If standard output is a pipe, as in `program | tee log`, the output
    /// may reach the terminal later. The row then appears at least 50 ms later, or half an interval if that is shorter.
    ///
    /// - Parameter body: A closure that writes the other output. It runs on this thread with SIGTTOU unblocked, and
    ///   without holding a lock. If the terminal is set to `tostop`, output in the background therefore stops the
    ///   process.
    /// - Returns: The value that `body` returns.
    /// - Throws: The error that `body` throws.
    public nonisolated func suspend<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
        defer { update() }
        return try screen.suspend(until: { pauseEnd }, body)
    }

    /// Erases the row, and the terminal's own progress bar, for at least 50 ms, or half an interval if that is shorter.
    /// The next frame draws them again. Any thread.
    ///
    /// Call this right before the program re-raises a signal that it handled, or calls `_exit`. A call of `exit` erases
    /// the row automatically.
    public nonisolated func erase() {
        screen.erase(until: pauseEnd)
    }

    /// The earliest time of a frame after an erasure.
    private nonisolated var pauseEnd: SuspendingClock.Instant {
        scheduler.now.advanced(by: min(interval / 2, .milliseconds(50)))
    }

    /// Draws new numbers after other output. For example, the output may report a file as complete while a row still
    /// shows the file's progress.
    private nonisolated func update() {
        if screen.isDrawn { requestUpdate() }
    }

    // MARK: Drawing

    private func show() {
        if draws && screen.isTerminal {
            screen.show(ObjectIdentifier(self))
            startTicking(every: interval)
        } else if plainLines {
            let line = lines.next()
            loggedLine = line
            screen.log("\(line.plainText) ...")
        }
    }

    private func hide() {
        if let line = loggedLine.take() { screen.log("\(line.plainText) ... done") } else { rest() }
    }

    /// Shows the idle text. If there is none, erases the row.
    private func rest() {
        guard draws && screen.isTerminal else { return }
        if idleText != nil { screen.show(ObjectIdentifier(self), isStill: true) }
        // If erasing fails, the next tick tries again soon. A still row is drawn again each second, so it reappears
        // after `fg`.
        startTicking(every: idleText == nil ? min(interval, .milliseconds(100)) : .seconds(1))
    }

    private func startTicking(every interval: Duration) {
        timer?.cancel()
        timer = startTimer(interval) { self.tick() }
        draw()
    }

    /// Draws the spinner's next picture. The main actor does the rest when the numbers are out of date, the terminal is
    /// lost, or erasing has failed. If the main actor is blocked, the spinner therefore stops.
    private nonisolated func tick() {
        if !screen.advance(by: ObjectIdentifier(self)) { requestUpdate() }
    }

    private nonisolated func requestUpdate() {
        guard !markUpdateRequested() else { return }
        scheduler.performOnMain {
            if self.timer != nil { self.draw() } else { self.isUpdateRequested.withLock { $0 = false } }
        }
    }

    /// Returns whether an update was already requested.
    @discardableResult private nonisolated func markUpdateRequested() -> Bool {
        var isRequested = true
        isUpdateRequested.withLock { swap(&$0, &isRequested) }
        return isRequested
    }

    /// Draws a frame with new numbers, or erases the last frame. If the terminal is blocked, the next tick tries again.
    private func draw() {
        // The closures may write output, which requests an update. That must not cause another frame.
        markUpdateRequested()
        let line = isVisible ? lines.next() : idleText.map(lines.stillLine)
        isUpdateRequested.withLock { $0 = false }
        let owner = ObjectIdentifier(self)
        let pictures = isVisible ? max(1, Int(Self.updateInterval / interval)) - 1 : 0
        let isDone =
            line.map { !screen.draw($0, by: owner, at: scheduler.now, pictures: pictures) } ?? screen.hide(owner)
        if isDone {
            timer?.cancel()
            timer = nil
        }
    }
}
