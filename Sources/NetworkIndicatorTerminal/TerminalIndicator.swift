import Foundation
public import NetworkIndicator

/// A spinner and a label on the terminal, for command-line programs.
///
/// It draws on standard error, and only where that is a terminal that wants it: not one byte goes to a file or a pipe,
/// nor where `TERM` is `dumb` or `CI` is set. While it is off it draws nothing and needs no timer.
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
/// All indicators of a process share the terminal's one line: the one shown last draws.
@MainActor
public final class TerminalIndicator: ActivityIndicator {
    /// When something is done.
    public enum Mode: Sendable, Hashable {
        /// As the terminal and the environment suggest.
        case auto
        /// Whatever they suggest.
        case always
        /// Not at all.
        case never
    }

    private let label: @Sendable () -> String
    private let frames: [String]
    private let interval: Duration
    private let animation: Mode
    private let color: Mode
    private let environment: TerminalEnvironment
    private let screen: TerminalScreen
    private let scheduler: any ActivityScheduler

    private var timer: (any ActivityTimer)?
    private var isVisible = false
    private var frameIndex = 0

    /// Makes an indicator that is off. Anywhere.
    ///
    /// - Parameters:
    ///   - label: What to say beside the spinner; asked once for each frame, on the main actor, outside every lock.
    ///   - frames: The spinner's pictures, shown in turn; by default braille dots, or `-\|/` where these are missing.
    ///   - interval: How long each picture is shown: 100 ms unless given, at least 20 ms.
    ///   - animation: Whether to draw at all. `.always` draws where the environment says no, but still only to a terminal.
    ///   - color: Whether to use colours.
    public nonisolated convenience init(
        label: @escaping @Sendable () -> String,
        frames: [String]? = nil, interval: Duration = .milliseconds(100), animation: Mode = .auto, color: Mode = .auto
    ) {
        self.init(
            label: label, frames: frames, interval: interval, animation: animation, color: color,
            environment: TerminalEnvironment(ProcessInfo.processInfo.environment),
            screen: .standardError, scheduler: MainScheduler())
    }

    package nonisolated init(
        label: @escaping @Sendable () -> String,
        frames: [String]? = nil, interval: Duration = .milliseconds(100), animation: Mode = .auto, color: Mode = .auto,
        environment: TerminalEnvironment, screen: TerminalScreen, scheduler: any ActivityScheduler
    ) {
        self.label = label
        self.frames = frames.flatMap { $0.isEmpty ? nil : $0 } ?? environment.frames
        self.interval = interval.clamped(to: .milliseconds(20) ... .longest)
        self.animation = animation
        self.color = color
        self.environment = environment
        self.screen = screen
        self.scheduler = scheduler
    }

    public func setVisible(_ isVisible: Bool) {
        guard isVisible != self.isVisible else { return }
        self.isVisible = isVisible
        if isVisible {
            guard draws else { return }
            screen.show(ObjectIdentifier(self))
            timer?.cancel()
            timer = scheduler.schedule(at: scheduler.now.advanced(by: interval), repeatingEvery: interval) {
                self.tick()
            }
        }
        tick()
    }

    /// Writes a line to standard error, above the indicator where that is on.
    ///
    /// - Parameter text: The line; a newline is added. It is written as it is, control characters included.
    public nonisolated func print(_ text: String) {
        screen.print(text)
    }

    /// Takes the indicator off the screen while something else writes there.
    ///
    /// ```swift
    /// indicator.suspend { Swift.print("a.txt: done") }  // to standard output
    /// ```
    ///
    /// - Parameter body: What to do meanwhile, on this thread. Standard output must be flushed in it.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws.
    public nonisolated func suspend<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
        try screen.suspend(body)
    }

    private var draws: Bool {
        guard screen.device.isTerminal else { return false }
        switch animation {
        case .auto: return environment.welcomesAnimation
        case .always: return true
        case .never: return false
        }
    }

    private func tick() {
        guard let timer else { return }
        let goesOn: Bool
        if isVisible {
            frameIndex = (frameIndex + 1) % frames.count
            let line = TerminalLine(
                glyph: frames[frameIndex], label: label(), isColored: environment.usesColor(color),
                isUTF8: environment.isUTF8)
            goesOn = screen.draw(line, by: ObjectIdentifier(self))
        } else {
            goesOn = !screen.hide(ObjectIdentifier(self))
        }
        if !goesOn {
            timer.cancel()
            self.timer = nil
        }
    }
}

extension TerminalScreen {
    static let standardError = TerminalScreen(device: StandardErrorDevice.shared)
}
