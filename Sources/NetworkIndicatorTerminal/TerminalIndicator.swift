import Foundation
public import NetworkIndicator
import Observation

/// A spinner, a label and a progress bar on the terminal, for command-line programs.
///
/// The indicator draws only on standard error, and only if standard error is a terminal and the program is in the
/// foreground. By default, it draws nothing if `CI`, `TF_BUILD` or `ACCESSIBLE` has a nonempty value other than `0` or
/// `false`, ignoring case. The same applies if `TERM` is unset or empty, or names a terminal that is known to lack ANSI
/// cursor control, such as `dumb`. Once its row is erased, an indicator that is off and shows no idle row runs no
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
/// The cursor stays visible, in the blank first column. When the program exits normally, the indicator erases the row.
/// After a crash or a fatal signal, the row stays on the screen as text, unless you called ``eraseOnInterruption()``.
/// Without that call, the indicator installs no signal handlers. If your program re-raises a signal that it handled, or
/// calls `_exit`, call ``erase()`` first. On a slow terminal, Ctrl-C may discard the end of the indicator's output, and
/// thereby leave line wrapping off. Erasing the row turns line wrapping on again.
///
/// Only one indicator of a process draws at a time. Of the indicators that are on, this is the one that turned on last.
@MainActor
public final class TerminalIndicator: ActivityIndicator {
    private let content: @MainActor @Sendable () -> Row
    private let rows: (@MainActor @Sendable () -> [Row])?
    private let idleRow: (@MainActor @Sendable () -> Row?)?
    private let plainLines: PlainLines?
    let emptyBlock: TerminalBlock
    private let pausedBlock: TerminalBlock
    let interval: Duration
    private let draws: Bool
    let screen: TerminalScreen
    let scheduler: any ActivityScheduler
    private let startTimer: StartTimer

    private var isVisible = false
    private var isDetached = false
    private var reserved = TerminalTable.Reserved()
    private var timer: (timer: any ActivityTimer, interval: Duration)?
    private let isUpdateRequested = Lock(false)
    /// Only the values that `idleRow` has read retain their observation.
    private weak var idleObservation: IdleObservation?

    private final class IdleObservation: Sendable {}

    package typealias StartTimer = @MainActor @Sendable (Duration, @escaping @Sendable () -> Void) -> any ActivityTimer

    /// Creates an indicator that is off, and that shows a spinner beside a text that never changes. For the idle row,
    /// see ``init(style:_:rows:idleRow:)``.
    public nonisolated convenience init(
        _ name: String, style: Style = Style(), idleRow: (@MainActor @Sendable () -> Row?)? = nil
    ) {
        self.init(style: style, { Row(name) }, idleRow: idleRow)
    }

    /// Creates an indicator that is off. The initializer reads the environment variables.
    ///
    /// ```swift
    /// let indicator = TerminalIndicator {
    ///     .init("\(queue.operationCount) files", fraction: 0.3)
    /// } rows: {
    ///     ["a.txt", "b.txt"]
    /// }
    /// ```
    ///
    /// All closures run on the main actor, while the indicator holds no lock. With the default interval, `content` and
    /// `rows` run about twice a second while this indicator draws the spinner. Calls to ``redraw()``, ``print(_:)`` and
    /// ``suspend(_:)``, and changes of the window's size, can also cause them to run. Between two runs, a separate
    /// thread draws the spinner's frames. If the main actor is blocked, the spinner soon stops.
    ///
    /// - Parameters:
    ///   - style: How and when the indicator draws.
    ///   - content: The main row. In a narrow window, its name is cut and ends in an ellipsis. A name with a dot but no
    ///     spaces is treated as a file name, and is cut in the middle instead. In all text that the indicator draws,
    ///     line breaks and tabs become spaces. Escape sequences, other control characters and most formatting
    ///     characters are dropped. If the locale isn't UTF-8, `?` replaces non-ASCII characters.
    ///   - rows: More rows below the main row, such as one for each transfer. They form one table with the
    ///     main row. If they don't fit in the window's height, the last line counts those that aren't shown. In a
    ///     window of fewer than 20 columns, these rows are hidden. Return an empty array to show no further rows.
    ///   - idleRow: The main row while the indicator is off because the work waits, such as `waiting for the network`.
    ///     The indicator draws it with a symbol of a pause instead of the spinner, and with the `rows` below it. The
    ///     indicator calls this closure when you attach it, when it turns off, and when you call ``redraw()``. While
    ///     the indicator is off, it calls the closure again soon after a change of an `Observable` value that the
    ///     closure read, such as a `TransferMeter`. While the row isn't `nil`, the indicator also calls the closure
    ///     every second, because the row may depend on the time. If another indicator is on, the terminal shows that
    ///     indicator's row instead. After you detach the indicator, or the manager is deallocated, the row disappears.
    public nonisolated convenience init(
        style: Style = Style(), _ content: @escaping @MainActor @Sendable () -> Row,
        rows: (@MainActor @Sendable () -> [Row])? = nil, idleRow: (@MainActor @Sendable () -> Row?)? = nil
    ) {
        self.init(
            style: style, content, rows: rows, idleRow: idleRow,
            environment: TerminalEnvironment(
                ProcessInfo.processInfo.environment, isLimitedToASCII: style.usesASCII),
            screen: .standardError, scheduler: MainScheduler(), startTimer: { FrameTimer(every: $0, $1) })
    }

    package nonisolated init(
        style: Style = Style(), _ content: @escaping @MainActor @Sendable () -> Row,
        rows: (@MainActor @Sendable () -> [Row])? = nil, idleRow: (@MainActor @Sendable () -> Row?)? = nil,
        environment: TerminalEnvironment, screen: TerminalScreen, scheduler: any ActivityScheduler,
        startTimer: @escaping StartTimer
    ) {
        (self.content, self.rows, self.idleRow) = (content, rows, idleRow)
        plainLines = style.writesPlainLines ? PlainLines(screen) : nil
        let colors = environment.colors(style.color)
        emptyBlock = TerminalBlock(
            style.frames.isEmpty ? environment.frames : style.frames, "", colors: colors,
            progress: environment.progress(style.progress))
        pausedBlock = TerminalBlock([colors.hasSymbols ? "⏸" : "-"], "", colors: colors, isPaused: true)
        interval = style.interval.clamped(to: .milliseconds(20) ... .seconds(1))
        draws = style.animation == .always || style.animation == .automatic && environment.welcomesAnimation
        (self.screen, self.scheduler, self.startTimer) = (screen, scheduler, startTimer)
    }

    /// Shows the spinner, or hides it and shows the idle row if there is one. The manager calls this method.
    ///
    /// - Parameter isVisible: Whether to show the spinner.
    public func setVisible(_ isVisible: Bool) {
        isDetached = false
        if isVisible == self.isVisible { return redraw() }
        self.isVisible = isVisible
        if isVisible { return show() }
        if let plainLines, plainLines.isOn {
            plainLines.end(currentBlock(content()), isWaiting: currentIdleRow() != nil, at: scheduler.now)
        }
        showIdleRow()
    }

    /// Erases the idle row, and shows none until the next call of ``setVisible(_:)``. The manager calls this method.
    public func didDetach() {
        isDetached = true
        redraw()
    }

    /// Draws the row immediately, with the current results of the closures. While the indicator is off, this method
    /// draws the idle row or, if there is none, nothing. It draws nothing while another indicator draws the row.
    /// During ``suspend(_:)`` and right after ``erase()``, the row appears later.
    ///
    /// Call this method to show a state that may end before the closures run again, such as a full bar.
    public func redraw() {
        if !isVisible {
            showIdleRow()
        } else if let plainLines, plainLines.isOn {
            plainLines.update(currentBlock(content()), at: scheduler.now)
        } else if timer != nil {
            draw()
        }
    }

    private func show() {
        if draws && screen.isTerminal {
            screen.show(ObjectIdentifier(self))
            startTicking(every: interval)
            draw()
        } else if let plainLines {
            plainLines.begin(currentBlock(content()), at: scheduler.now)
            startTicking(every: .seconds(1))
        }
    }

    /// Shows the idle row, or erases the rows if there is none.
    private func showIdleRow() {
        let row = currentIdleRow()
        endUpdateRequest()
        // The closure may have turned the indicator on.
        guard !isVisible else { return }
        if row == nil { reserved = TerminalTable.Reserved() }
        guard draws && screen.isTerminal else { return stopTicking() }
        guard let row else {
            // If the terminal is blocked, the next tick tries to erase the row again.
            if screen.hide(ObjectIdentifier(self)) {
                stopTicking()
            } else {
                startTicking(every: min(interval, .milliseconds(100)))
            }
            return
        }
        screen.show(ObjectIdentifier(self), isStill: true)
        // Drawing the row again every second also makes it reappear after `fg`.
        startTicking(every: .seconds(1))
        let block = currentBlock(row, isPaused: true)
        if !isVisible { draw(block) }
    }

    /// Calls the closure. Unless an earlier call still observes the values that the closure reads, this call does.
    private func currentIdleRow() -> Row? {
        guard !isDetached, let idleRow else { return nil }
        guard idleObservation == nil else { return idleRow() }
        let observation = IdleObservation()
        idleObservation = observation
        return withObservationTracking {
            idleRow()
        } onChange: { [weak self, scheduler, observation] in
            _ = observation
            // The values change only after this closure returns.
            scheduler.performOnMain { [weak self] in
                self?.idleObservation = nil
                self?.redraw()
            }
        }
    }

    private func startTicking(every interval: Duration) {
        // A new timer would postpone the next tick.
        guard timer?.interval != interval else { return }
        timer?.timer.cancel()
        timer = (startTimer(interval) { self.tick() }, interval)
    }

    private func stopTicking() {
        timer?.timer.cancel()
        timer = nil
    }

    private nonisolated func tick() {
        if !screen.advance(by: ObjectIdentifier(self)) { requestUpdate() }
    }

    package nonisolated func requestUpdate() {
        let wasRequested = isUpdateRequested.withLock { isRequested in
            defer { isRequested = true }
            return isRequested
        }
        if !wasRequested { scheduler.performOnMain { self.update() } }
    }

    private func update() {
        defer { endUpdateRequest() }
        if timer != nil { redraw() }
    }

    /// The indicator calls this method after its closures and before it draws. If a closure calls `print`, that call
    /// requests no further update, because the series would be endless. A call during the drawing requests one.
    private func endUpdateRequest() { isUpdateRequested.withLock { $0 = false } }

    private func currentBlock(_ main: Row, isPaused: Bool = false) -> TerminalBlock {
        var block = isPaused ? pausedBlock : emptyBlock
        block.main = main
        block.rows = rows?() ?? []
        reserved.extend(to: [block.main] + block.rows)
        block.reserved = reserved
        endUpdateRequest()
        return block
    }

    private func draw() {
        let block = currentBlock(content())
        // Updating the numbers with every frame of the spinner would make them hard to read, and by default would wake
        // the main thread ten times a second. A closure may have turned the indicator off.
        if isVisible { draw(block, pictures: max(1, Int(.milliseconds(500) / interval)) - 1) }
    }

    private func draw(_ block: TerminalBlock, pictures: Int = 0) {
        if !screen.draw(block, by: ObjectIdentifier(self), at: scheduler.now, pictures: pictures) { stopTicking() }
    }
}
