import Foundation
public import NetworkIndicator

/// A spinner and a label on the terminal, for command-line programs.
///
/// It draws on standard error, never on standard output, and only where that is a terminal which wants it: not one byte
/// goes to a file or a pipe, nor anything where `TERM` is `dumb`, `CI` is set or `ACCESSIBLE` asks for stillness. In the
/// background it draws nothing and goes on when it is back in the foreground. While it is off it needs no timer.
///
/// ```swift
/// let indicator = TerminalIndicator { "Fetching \(queue.operationCount) files" }
/// NetworkIndicatorManager.shared.attach(indicator)
/// // …
/// indicator.print("a.txt: done")  // appears above the spinner
/// ```
///
/// Other output to the same terminal goes through ``print(_:)`` or ``suspend(_:)``, from any thread.
///
/// While something is on the screen, SIGINT, SIGTERM, SIGHUP, SIGQUIT and SIGTSTP take it off before they do what they
/// otherwise would: earlier handlers are called, ignored signals stay ignored. So does the end of the program.
///
/// All indicators of a process share the terminal's one line: the one shown last draws. An indicator stays alive while it
/// is on.
@MainActor
public final class TerminalIndicator: ActivityIndicator {
    /// When something is done.
    public enum Mode: Sendable, Hashable {
        /// Where the terminal and the environment suggest it.
        case auto
        /// Whatever they suggest.
        case always
        /// Not at all.
        case never
    }

    /// What being on means at present.
    private enum Presentation {
        case animation
        case plainLines(TerminalLine)
        case nothing
    }

    private let label: @MainActor @Sendable () -> String
    private let frames: [String]
    private let interval: Duration
    private let animation: Mode
    private let usesPlainLines: Bool
    private let isColored: Bool
    private let isUTF8: Bool
    private let progress: TerminalProgress
    private let welcomesAnimation: Bool
    private let screen: TerminalScreen
    private let scheduler: any ActivityScheduler

    private var isVisible = false
    private var presentation = Presentation.nothing
    private var frameIndex = 0
    /// Present while a frame is to be drawn, or one is still to be erased.
    private var timer: (any ActivityTimer)?

    /// Makes an indicator that is off. Anywhere.
    ///
    /// The environment is read here, the terminal at every frame.
    ///
    /// - Parameters:
    ///   - label: What to say beside the spinner. Asked once for each frame, on the main actor, outside every lock. It is
    ///     cut to the window's width, and control characters in it are dropped.
    ///   - frames: The spinner's pictures, shown in turn. By default, and if empty, braille dots, or `-\|/` where the
    ///     locale or the console has no such characters.
    ///   - interval: How long each picture is shown: 100 ms by default, at least 20 ms.
    ///   - animation: Whether to draw. `.always` draws whatever the environment says, but still only on a terminal.
    ///   - color: Whether to use colours. `.auto` follows `NO_COLOR`, `FORCE_COLOR` and `CLICOLOR_FORCE`.
    ///   - progress: Whether to switch on the terminal's own progress bar too. `.auto` does where it is known to exist;
    ///     elsewhere the sequence may pop up a notification.
    ///   - plainLines: Whether to write a line when it goes on and a line when it goes off, for logs, where nothing is
    ///     drawn. They hold no control characters. Where nobody takes them at the moment they are written later; the
    ///     program's end waits a second for that.
    public nonisolated convenience init(
        label: @escaping @MainActor @Sendable () -> String, frames: [String] = [],
        interval: Duration = .milliseconds(100),
        animation: Mode = .auto, color: Mode = .auto, progress: Mode = .auto, plainLines: Bool = false
    ) {
        self.init(
            label: label, frames: frames, interval: interval, animation: animation, color: color, progress: progress,
            plainLines: plainLines, environment: TerminalEnvironment(ProcessInfo.processInfo.environment),
            screen: .standardError, scheduler: MainScheduler())
    }

    package nonisolated init(
        label: @escaping @MainActor @Sendable () -> String, frames: [String] = [],
        interval: Duration = .milliseconds(100),
        animation: Mode = .auto, color: Mode = .auto, progress: Mode = .auto, plainLines: Bool = false,
        environment: TerminalEnvironment, screen: TerminalScreen, scheduler: any ActivityScheduler
    ) {
        self.label = label
        self.frames = frames.isEmpty ? environment.frames : frames
        self.interval = interval.clamped(to: .milliseconds(20) ... .longest)
        self.animation = animation
        usesPlainLines = plainLines
        isColored = environment.usesColor(color)
        isUTF8 = environment.isUTF8
        self.progress = environment.progress(progress)
        welcomesAnimation = environment.welcomesAnimation
        self.screen = screen
        self.scheduler = scheduler
    }

    /// Shows or hides the spinner. Idempotent; the manager calls it.
    ///
    /// - Parameter isVisible: `true` to draw at once and then a frame at each interval, `false` to erase.
    public func setVisible(_ isVisible: Bool) {
        guard isVisible != self.isVisible else { return }
        self.isVisible = isVisible
        if isVisible { show() } else { hide() }
    }

    /// Writes a line to standard error, above the spinner where that is on. Any thread.
    ///
    /// - Parameter text: The line, written as it is; a newline is added.
    public nonisolated func print(_ text: String) {
        screen.print(text)
    }

    /// Takes the spinner off the screen while something else writes there. Any thread; calls may be nested.
    ///
    /// ```swift
    /// indicator.suspend {
    ///     Swift.print("a.txt: done")  // to standard output
    ///     fflush(nil)
    /// }
    /// ```
    ///
    /// - Parameter body: What to do meanwhile, on this thread and outside every lock.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws.
    public nonisolated func suspend<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
        try screen.suspend(body)
    }

    private func show() {
        let draws =
            switch animation {
            case .auto: welcomesAnimation
            case .always: true
            case .never: false
            }
        if draws && screen.device.isTerminal {
            presentation = .animation
            screen.show(ObjectIdentifier(self))
            startTicking(every: interval)
        } else if usesPlainLines {
            let line = makeLine()
            presentation = .plainLines(line)
            screen.log("\(line.plainText) ...")
        } else {
            presentation = .nothing
        }
    }

    private func hide() {
        switch presentation {
        // An interval may be a minute, and what is to be erased must not stay that long.
        case .animation: startTicking(every: min(interval, .milliseconds(100)))
        case .plainLines(let line): screen.log("\(line.plainText) ... done")
        case .nothing: break
        }
    }

    private func startTicking(every interval: Duration) {
        timer?.cancel()
        timer = scheduler.schedule(at: scheduler.now.advanced(by: interval), repeatingEvery: interval) { self.tick() }
        tick()
    }

    /// Draws a frame; or erases the last one, again and again while the terminal takes nothing.
    private func tick() {
        let isDone =
            isVisible
            ? !screen.draw(makeLine(), by: ObjectIdentifier(self), at: scheduler.now)
            : screen.hide(ObjectIdentifier(self))
        if isDone {
            timer?.cancel()
            timer = nil
        }
    }

    private func makeLine() -> TerminalLine {
        defer { frameIndex = (frameIndex + 1) % frames.count }
        return TerminalLine(
            glyph: frames[frameIndex], label: label(), isColored: isColored, isUTF8: isUTF8, progress: progress)
    }
}
