import Foundation
public import NetworkIndicator

/// A spinner, a label and a progress bar on the terminal, for command-line programs.
///
/// The indicator draws only on standard error, and only if standard error is a terminal and the program is in the
/// foreground. By default, it draws nothing if `CI`, `TF_BUILD` or `ACCESSIBLE` has a nonempty value other than `0` or
/// `false`, ignoring case. The same applies if `TERM` is unset or empty, or names a terminal that is known to lack ANSI
/// cursor control, such as `dumb`. Once its row is erased, an indicator that is off and has no ``idleText`` runs no
/// timer.
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
/// Send other output to the same terminal through ``print(_:)`` or ``suspend(_:)``. Output that your program writes
/// directly may overwrite the row. If that output ends with a newline, the indicator soon draws the row again below it.
/// The methods ``print(_:)``, ``suspend(_:)`` and ``erase()`` may block while the terminal accepts no output, as after
/// Ctrl-S.
///
/// The cursor stays visible, in the blank first column. The indicator installs no signal handlers. When the program
/// exits normally, the indicator erases the row. After a crash or a fatal signal, the row stays on the screen as text.
/// If your program re-raises a signal that it handled, or calls `_exit`, call ``erase()`` first. On a slow terminal,
/// Ctrl-C may discard the end of the indicator's output, and thereby leave line wrapping off. Erasing the row turns
/// line wrapping on again.
///
/// Only one indicator of a process draws at a time. Of the indicators that are on, this is the one that turned on last.
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
    private var loggedLine: TerminalLine?
    private var timer: (timer: any ActivityTimer, interval: Duration)?
    private let isUpdateRequested = Lock(false)

    package typealias StartTimer = @MainActor @Sendable (Duration, @escaping @Sendable () -> Void) -> any ActivityTimer

    /// Updating the numbers with every frame of the spinner would make them hard to read, and by default would wake the
    /// main thread ten times a second.
    private static let updateInterval = Duration.milliseconds(500)

    /// Creates an indicator that is off. The initializer reads the environment variables.
    ///
    /// All closures run on the main actor, while the indicator holds no lock. With the default `interval`, they run
    /// about twice a second while this indicator draws the spinner. Calls to ``redraw()``, ``print(_:)`` and
    /// ``suspend(_:)``, and changes of the window's size, can also cause the closures to run. Between two runs of the
    /// closures, a separate thread draws the spinner's frames. If the main actor is blocked, the spinner soon stops.
    ///
    /// - Parameters:
    ///   - label: The text beside the spinner. In a narrow window, the text is cut and ends in an ellipsis. A label
    ///     with a dot but no spaces is treated as a file name, and is cut in the middle instead. In all text that the
    ///     indicator draws, line breaks and tabs become spaces. Escape sequences, other control characters and most
    ///     formatting characters are dropped. If the locale isn't UTF-8, `?` replaces non-ASCII characters.
    ///   - fraction: The progress from 0 to 1, shown as a bar and a percentage. `nil` and NaN mean that the progress is
    ///     unknown. Numbers outside this range are clamped. While the indicator is on, the percentage falls only after
    ///     the closure has returned `nil` or NaN.
    ///   - details: Columns after the percentage. In a narrow window, the bar is dropped first, and then columns by
    ///     their ``Detail/priority``. Once all columns are dropped, the bar is drawn again if it fits.
    ///   - rows: More rows below the main row. They are drawn only if the window has at least 40 columns, and at least
    ///     two rows more than the closure returns. When the window's width changes, these rows are hidden for at least
    ///     a second.
    ///   - frames: The frames of the spinner. The indicator shows them in turn, padded to the same width. An empty
    ///     array selects braille patterns or, if the locale isn't UTF-8 or the terminal is the Linux console, `-`, `\`,
    ///     `|` and `/`.
    ///   - interval: The time for which each frame of the spinner is shown. Values below 20 ms are treated as 20 ms. If
    ///     the interval is longer than 250 ms, the closures run once per interval.
    ///   - animation: Whether to draw on a terminal. `.auto` follows the environment variables that the overview of
    ///     ``TerminalIndicator`` lists, and `.always` ignores them.
    ///   - color: Whether to use colours. `.auto` follows the environment variables that
    ///     ``TerminalStyle/init(for:color:)`` lists.
    ///   - progress: Whether to set the terminal's own progress bar too. `.auto` uses the bar only on terminals that
    ///     are known to have one. With `.always`, a terminal without a progress bar may show a notification instead.
    ///   - plainLines: Whether an indicator that doesn't draw writes one line when it turns on and one when it turns
    ///     off. The lines contain no escape sequences. On a terminal, no line is written while the program is in the
    ///     background. If the output is blocked, the lines are written later. At exit, the program waits up to a second
    ///     for delayed lines.
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

    /// Shows the spinner, or hides it and shows ``idleText`` if that is set. The manager calls this method.
    ///
    /// - Parameter isVisible: Whether to show the spinner.
    public func setVisible(_ isVisible: Bool) {
        guard isVisible != self.isVisible else { return }
        self.isVisible = isVisible
        lines.reset()
        if isVisible { show() } else { hide() }
    }

    /// Draws the row immediately, with the current results of the closures. This method draws nothing while the
    /// indicator is off or while another indicator draws the row. During ``suspend(_:)`` and right after ``erase()``,
    /// the row appears later.
    ///
    /// Call this method to show a state that may end before the closures run again, such as a full bar.
    public func redraw() {
        if isVisible, timer != nil { draw() }
    }

    /// Text to show without a spinner while the indicator is off, such as `⏸ 2 waiting, next in 3 s`. If another
    /// indicator is on, the terminal shows that indicator's row instead.
    public var idleText: String? {
        didSet { if idleText != oldValue, !isVisible { rest() } }
    }

    /// Writes a line to standard error, above the row if one is drawn. This method is thread-safe.
    ///
    /// - Parameter text: The line, written unchanged and followed by a newline.
    public nonisolated func print(_ text: String) {
        screen.print(text)
        update()
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
    ///   process.
    /// - Returns: The value that `body` returns.
    /// - Throws: The error that `body` throws.
    public nonisolated func suspend<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
        defer { update() }
        return try screen.suspend(until: { pauseEnd }, body)
    }

    /// Erases the row and the terminal's own progress bar until the indicator draws again. This method is thread-safe,
    /// but not async-signal-safe.
    ///
    /// No indicator draws for 50 ms, or for half of `interval` if that is shorter. Call this method right before the
    /// program re-raises a signal that it handled, or calls `_exit`. A call to `exit` erases the row automatically.
    public nonisolated func erase() {
        screen.erase(until: pauseEnd)
    }

    private nonisolated var pauseEnd: SuspendingClock.Instant {
        scheduler.now.advanced(by: min(interval / 2, .milliseconds(50)))
    }

    /// The output of `print` or `suspend` may report a file as complete, so the rows must no longer show that file's
    /// progress.
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

    private func rest() {
        guard draws && screen.isTerminal else { return }
        if idleText != nil { screen.show(ObjectIdentifier(self), isStill: true) }
        // If the terminal is blocked, the next tick tries to erase the row again. An idle text is drawn again every
        // second, so it reappears after `fg`.
        startTicking(every: idleText == nil ? min(interval, .milliseconds(100)) : .seconds(1))
    }

    private func startTicking(every interval: Duration) {
        // The thread of a cancelled timer ends only later, so creating a timer for each change of `idleText` could
        // accumulate threads.
        if timer?.interval != interval {
            timer?.timer.cancel()
            timer = (startTimer(interval) { self.tick() }, interval)
        }
        draw()
    }

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

    private func draw() {
        // If a closure calls `print`, that call requests an update. This mark prevents an endless series of updates.
        markUpdateRequested()
        let line = isVisible ? lines.next() : idleText.map(lines.stillLine)
        isUpdateRequested.withLock { $0 = false }
        let owner = ObjectIdentifier(self)
        let pictures = isVisible ? max(1, Int(Self.updateInterval / interval)) - 1 : 0
        let isDone =
            line.map { !screen.draw($0, by: owner, at: scheduler.now, pictures: pictures) } ?? screen.hide(owner)
        if isDone {
            timer?.timer.cancel()
            timer = nil
        }
    }
}
