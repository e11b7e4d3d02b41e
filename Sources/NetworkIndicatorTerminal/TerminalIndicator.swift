import Foundation
public import NetworkIndicator

/// A spinner, a label and a progress bar on the terminal, for command-line programs.
///
/// The indicator draws on standard error, never on standard output, and only if standard error is a terminal. By default it
/// writes nothing if `TERM` is `dumb`, or if `CI` or `ACCESSIBLE` is set. In the background it draws nothing, and continues
/// in the foreground. While it is off it needs no timer, unless it shows an idle text or an error.
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
/// Send other output to the same terminal through ``print(_:)`` or ``suspend(_:)``, from any thread.
///
/// The cursor is hidden while the indicator is visible. When the program exits, the row is erased and the cursor is
/// restored. The same happens on SIGINT, SIGTERM, SIGHUP, SIGQUIT and SIGTSTP, before their usual effect. Earlier
/// signal handlers are called, and ignored signals stay ignored.
///
/// All indicators of a process share one row. The indicator shown last draws. An indicator stays alive while it is on.
@MainActor
public final class TerminalIndicator: ActivityIndicator {
    /// How the indicator shows that it is on.
    private enum Presentation {
        case animation
        case plainLines(TerminalLine)
        case nothing
    }

    private let lines: TerminalLineSource
    private let interval: Duration
    private let plainLines: Bool
    private let draws: Bool
    private let screen: TerminalScreen
    private let scheduler: any ActivityScheduler

    private var isVisible = false
    private var presentation = Presentation.nothing
    private var failureEnd: SuspendingClock.Instant?
    private var hasFailed = false
    /// Exists while any part of the indicator is on the screen.
    private var timer: (any ActivityTimer)?

    /// Makes an indicator that is off. Any thread.
    ///
    /// This reads the environment. Each frame reads the terminal's size, and calls `label` and `fraction`. The numbers on
    /// the row change at most twice a second, when the indicator calls `details` and `rows`. A new label, the full bar,
    /// a fraction that becomes known or unknown, and ``redraw()`` update everything immediately. The indicator calls all
    /// closures on the main actor and outside every lock.
    ///
    /// - Parameters:
    ///   - label: The text beside the spinner. If the window is too narrow, the text ends in `…`. Control characters
    ///     are dropped, here and in all other texts on the rows. ``print(_:)`` keeps them.
    ///   - fraction: The progress from 0 to 1, shown as a bar and a percentage. `nil` and NaN stand for unknown. Other
    ///     values are clamped. The percentage doesn't fall while the indicator is on. To start over, return `nil` once.
    ///   - details: Columns after the percentage. In a narrow window, the bar is dropped first, then the details with
    ///     the lowest priority.
    ///   - rows: More rows below the main one. They are drawn only if the window has at least 40 columns, and room for
    ///     at least two rows besides these.
    ///   - frames: The spinner's pictures, shown in turn. By default, and if empty, they are braille dots, or `-\|/` if
    ///     the locale or the console lacks such characters.
    ///   - interval: How long each picture is shown: 100 ms by default, at least 20 ms.
    ///   - animation: Whether to draw. `.always` ignores the environment, but still needs a terminal.
    ///   - color: Whether to use colours. `.auto` follows `NO_COLOR`, `FORCE_COLOR`, `CLICOLOR_FORCE` and `CLICOLOR`.
    ///   - progress: Whether to use the terminal's own progress bar too. `.auto` uses it only on terminals that are
    ///     known to have one. Others may show a notification instead.
    ///   - showsCursor: Whether the cursor stays visible. The spinner is then in the second column.
    ///   - plainLines: Whether to write a line when the indicator goes on and another when it goes off, if it doesn't
    ///     draw, as in logs. The lines contain no control characters. If the output is blocked, they are written later,
    ///     and the program's exit waits for them up to a second.
    public nonisolated convenience init(
        label: @escaping @MainActor @Sendable () -> String,
        fraction: (@MainActor @Sendable () -> Double?)? = nil,
        details: (@MainActor @Sendable () -> [Detail])? = nil,
        rows: (@MainActor @Sendable () -> [String])? = nil,
        frames: [String] = [], interval: Duration = .milliseconds(100),
        animation: Mode = .auto, color: Mode = .auto, progress: Mode = .auto, showsCursor: Bool = false,
        plainLines: Bool = false
    ) {
        self.init(
            label: label, fraction: fraction, details: details, rows: rows,
            Options(
                frames: frames, interval: interval, animation: animation, color: color, progress: progress,
                showsCursor: showsCursor, plainLines: plainLines),
            environment: TerminalEnvironment(ProcessInfo.processInfo.environment), screen: .standardError,
            scheduler: MainScheduler())
    }

    package nonisolated init(
        label: @escaping @MainActor @Sendable () -> String,
        fraction: (@MainActor @Sendable () -> Double?)? = nil,
        details: (@MainActor @Sendable () -> [Detail])? = nil,
        rows: (@MainActor @Sendable () -> [String])? = nil,
        _ options: Options, environment: TerminalEnvironment, screen: TerminalScreen,
        scheduler: any ActivityScheduler
    ) {
        let style = TerminalStyle(usesColor: environment.usesColor(options.color), isUTF8: environment.isUTF8)
        var emptyLine = TerminalLine(
            glyph: "", label: "", style: style, progress: environment.progress(options.progress))
        emptyLine.showsCursor = options.showsCursor
        lines = TerminalLineSource(
            label: label, fraction: fraction, details: details, rows: rows,
            frames: options.frames.isEmpty ? environment.frames : options.frames, emptyLine: emptyLine)
        interval = options.interval
        plainLines = options.plainLines
        draws =
            switch options.animation {
            case .auto: environment.welcomesAnimation
            case .always: true
            case .never: false
            }
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

    /// Draws a frame now, besides those at each interval. Does nothing while the indicator is off. While the row is erased or
    /// suspended, the frame appears when the row is next drawn.
    ///
    /// Call this for a state that must be seen, such as the full bar right before the indicator goes off.
    public func redraw() {
        if isVisible, case .animation = presentation { tick(isUpdate: true) }
    }

    /// A grey row without a spinner that is shown while the indicator is off, such as `⏸ 2 waiting, next in 3 s`.
    ///
    /// Like the indicator, it is drawn only on a terminal and in the foreground, and is cut to the window's width.
    /// `nil`, the default, erases it.
    public var idleText: String? {
        didSet { if idleText != oldValue, !isVisible { rest() } }
    }

    /// Switches the terminal's progress bar to its error state. Idempotent.
    ///
    /// The error stays until two seconds after the indicator has gone off. If the indicator is off, the error is shown
    /// for two seconds. It never delays the program's exit, and the exit clears it. Call this as soon as a transfer has
    /// failed.
    public func indicateFailure() {
        hasFailed = true
        if isVisible {
            tick()
        } else {
            rest()
        }
    }

    /// Writes a line to standard error, above the spinner if it is visible. Any thread.
    ///
    /// - Parameter text: The line, written unchanged. A newline is added.
    public nonisolated func print(_ text: String) {
        screen.print(text)
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
    /// - Parameter body: Writes the other output, on this thread and outside every lock. SIGTTOU is unblocked on the
    ///   thread. In the background, output therefore stops the process if the terminal is set to `tostop`.
    /// - Returns: The value that `body` returns.
    /// - Throws: The error that `body` throws.
    public nonisolated func suspend<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
        try screen.suspend(body)
    }

    /// Erases the row for at least 50 ms, or half an interval if that is shorter. The next frame draws it again. Any
    /// thread.
    ///
    /// If standard output is a pipe, call this before each line of it. The line may reach the same terminal a little
    /// later, as with `program | tee log`.
    public nonisolated func erase() {
        screen.erase(until: scheduler.now.advanced(by: min(interval / 2, .milliseconds(50))))
    }

    // MARK: Drawing

    private func show() {
        if draws && screen.device.isTerminal {
            presentation = .animation
            hasFailed = false
            failureEnd = nil
            screen.show(ObjectIdentifier(self))
            startTicking(every: interval)
        } else if plainLines {
            let line = lines.next(at: scheduler.now)
            presentation = .plainLines(line)
            screen.log("\(line.plainText) ...")
        } else {
            presentation = .nothing
        }
    }

    private func hide() {
        switch presentation {
        case .animation: rest()
        case .plainLines(let line): screen.log("\(line.plainText) ... done")
        case .nothing: break
        }
    }

    /// Shows the idle text and the error, if there are any. Otherwise erases the row.
    private func rest() {
        guard draws && screen.device.isTerminal else { return }
        failureEnd = hasFailed ? failureEnd ?? scheduler.now.advanced(by: .seconds(2)) : nil
        let isOver = idleText == nil && failureEnd == nil
        if !isOver { screen.show(ObjectIdentifier(self), isStill: true) }
        // If erasing fails, the next tick tries again soon. A still row is drawn again each second, so that it reappears
        // after `fg`.
        startTicking(every: isOver ? min(interval, .milliseconds(100)) : .seconds(1))
    }

    private func startTicking(every interval: Duration) {
        timer?.cancel()
        timer = scheduler.schedule(at: scheduler.now.advanced(by: interval), repeatingEvery: interval) { self.tick() }
        tick()
    }

    /// Draws a frame, or erases the last one. If the terminal is blocked, the next tick tries again.
    private func tick(isUpdate: Bool = false) {
        if let failureEnd, !isVisible, scheduler.now >= failureEnd {
            self.failureEnd = nil
            hasFailed = false
            return rest()
        }
        let isDone: Bool
        if isVisible {
            var line = lines.next(at: scheduler.now, isUpdate: isUpdate)
            line.hasFailed = hasFailed
            isDone = !screen.draw(line, by: ObjectIdentifier(self), at: scheduler.now)
        } else if idleText != nil || failureEnd != nil {
            isDone = !screen.draw(makeIdleLine(), by: ObjectIdentifier(self), at: scheduler.now)
        } else {
            isDone = screen.hide(ObjectIdentifier(self))
        }
        if isDone {
            timer?.cancel()
            timer = nil
        }
    }

    private func makeIdleLine() -> TerminalLine {
        var line = lines.emptyLine
        line.label = idleText ?? ""
        if failureEnd == nil { line.progress = .none }
        line.isStill = true
        line.hasFailed = true
        return line
    }
}
