import Foundation
import NetworkIndicator

/// The line of a terminal that indicators draw on, and everything else that writes there.
///
/// A terminal has one such line, so a process has one such object, however many indicators it has: the one shown last
/// draws. Any thread; everything is written under one lock, and nothing of a caller's runs under it.
///
/// A text is written however long a stopped terminal takes, with the lock held. Who draws, hides or logs, on the main
/// actor, must not wait for that: it leaves word of what it wants, and whoever has the lock sees to it on the way out.
package final class TerminalScreen: Sendable {
    package static let standardError = TerminalScreen(device: StandardErrorDevice())

    package let device: any TerminalDevice
    private let state: Lock<State>
    private let wanted = Lock(Wanted())
    private let logQueue = DispatchQueue(label: "NetworkIndicatorTerminal.log")

    package init(device: any TerminalDevice) {
        self.device = device
        state = Lock(State(device: device))
    }

    /// Makes `owner` the one that draws.
    package func show(_ owner: ObjectIdentifier) {
        wanted.withLock { $0.owners.append(owner) }
    }

    /// Draws a line, provided that `owner` is the one that draws and nobody has suspended it.
    ///
    /// - Returns: Whether there is any point in drawing again: `false` when the terminal is gone.
    package func draw(_ line: TerminalLine, by owner: ObjectIdentifier, at now: SuspendingClock.Instant) -> Bool {
        wanted.withLock { wanted in
            if wanted.owners.last == owner { wanted.frame = (line, now) }
        }
        return catchUp() != .failed
    }

    /// Takes what `owner` drew off the screen. Idempotent.
    ///
    /// The caller may write there next, so this waits for a moment, the first time, where the terminal is not ready or a
    /// text is being written.
    ///
    /// - Returns: `false` if it is still there, so that this must be tried again.
    package func hide(_ owner: ObjectIdentifier) -> Bool {
        let isFirst = wanted.withLock { wanted in
            defer { wanted.owners.removeAll { $0 == owner } }
            return wanted.owners.contains(owner)
        }
        let end = SuspendingClock().now.advanced(by: .milliseconds(isFirst ? Terminal.briefPatience : 0))
        while true {
            _ = catchUp()
            if wanted.withLock({ $0.shown != owner }) { return true }
            guard SuspendingClock().now < end else { return false }
            usleep(1000)
        }
    }

    /// Writes a line of text, above the indicator's.
    package func print(_ text: String) {
        write { $0.print(text) }
    }

    /// Writes a line of text for an indicator that does not draw: not from the background, and before any later text.
    ///
    /// On a thread of its own, for the terminal, or a pipe, may take it only much later.
    package func log(_ text: String) {
        wanted.withLock { $0.logs.append(text) }
        if !writesLogs(within: Terminal.briefPatience) { _ = Self.atExit }
    }

    /// Takes the line off the screen while `body` runs. The terminal's progress bar stays.
    package func suspend<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
        write { $0.suspend() }
        defer { write { $0.resume() } }
        return try body()
    }

    // MARK: Under the lock

    private func write(_ body: (inout State) -> Void) {
        state.withLock { state in
            // First of all, so that a line which is to be erased is not drawn once more below a text.
            _ = catchUp(&state)
            for text in wanted.withLock({ $0.takeLogs() }) { state.print(text, fromBackground: false) }
            body(&state)
            _ = catchUp(&state)
        }
        _ = catchUp()
    }

    /// Does what is due, unless another thread has the lock. That one calls this when it has given it back, so that nothing
    /// is forgotten which was asked for just before.
    private func catchUp() -> TerminalOutcome {
        var outcome = TerminalOutcome.written
        while outcome != .busy, wanted.withLock({ $0.isDue }),
            let latest = state.withLockIfAvailable({ catchUp(&$0) })
        {
            outcome = latest
        }
        return outcome
    }

    private func catchUp(_ state: inout State) -> TerminalOutcome {
        let (frame, isStale) = wanted.withLock { ($0.takeFrame(), $0.isStale) }
        if let frame {
            state.line = frame.line
            return state.draw(at: frame.time)
        }
        guard isStale else { return .written }
        state.line = nil
        let outcome = state.erase()
        if outcome != .busy { wanted.withLock { $0.shown = nil } }
        return outcome
    }

    private func writesLogs(within milliseconds: Int32) -> Bool {
        let isDone = DispatchSemaphore(value: 0)
        logQueue.async {
            self.write { _ in }
            isDone.signal()
        }
        return isDone.wait(timeout: .now() + .milliseconds(Int(milliseconds))) == .success
    }

    /// What could not be written yet has a last chance when the program exits: before the restorer lets nobody write any
    /// more, and what is registered last is called first.
    private static let atExit: Void = {
        TerminalRestorer.atExit
        _ = atexit { _ = TerminalScreen.standardError.writesLogs(within: Terminal.patience) }
    }()
}

/// What is to be on the screen. Its lock is never held while anything is written.
private struct Wanted {
    /// The visible indicators; the last one draws.
    var owners: [ObjectIdentifier] = [] {
        didSet { frame = nil }
    }
    /// The next frame of the one that draws.
    var frame: (line: TerminalLine, time: SuspendingClock.Instant)?
    /// Whose line is on the screen, for all we know. Whoever has the screen's lock changes it.
    var shown: ObjectIdentifier?
    /// Lines of text that indicators which do not draw have not written yet.
    var logs: [String] = []

    /// Whether that line is to be erased.
    var isStale: Bool { shown != nil && shown != owners.last }
    var isDue: Bool { frame != nil || isStale }

    mutating func takeFrame() -> (line: TerminalLine, time: SuspendingClock.Instant)? {
        guard let frame else { return nil }
        self.frame = nil
        shown = owners.last
        return frame
    }

    mutating func takeLogs() -> [String] {
        defer { logs = [] }
        return logs
    }
}

/// Guarded by the screen's lock.
private struct State {
    private let device: any TerminalDevice
    /// What the indicator that draws has drawn last.
    var line: TerminalLine?
    /// The width of what was drawn last; 0 when that is gone.
    private var drawnCells = 0
    /// When the terminal's progress bar was last asked for.
    private var progressSince: SuspendingClock.Instant?
    private var suspensions = 0
    private var isGone = false

    init(device: any TerminalDevice) { self.device = device }

    /// - Parameter now: The time, or `nil` where the frame is only repeated: then the progress bar stays as it is.
    @discardableResult
    mutating func draw(at now: SuspendingClock.Instant?) -> TerminalOutcome {
        guard !isGone else { return .failed }
        guard let line, suspensions == 0 else { return .written }
        return transmit(.frame) { state, conditions in
            var frame = state.frame(line, conditions)
            if let now { state.updateProgress(line.progress, at: now, conditions, in: &frame) }
            return [frame]
        }
    }

    mutating func erase() -> TerminalOutcome {
        guard !isGone else { return .failed }
        return transmit(.frame) { state, conditions in
            guard !conditions.marks.isEmpty else { return [] }
            var erasure = state.erasure(conditions) ?? TerminalTransmission("")
            state.clearProgress(conditions, in: &erasure)
            return [erasure]
        }
    }

    /// In three writes: a signal handler on this thread must know whether the line is the indicator's or the text's, which
    /// a terminal may take in parts.
    mutating func print(_ text: String, fromBackground: Bool = true) {
        transmit(.text) { state, conditions in
            guard fromBackground || conditions.isForeground else { return [] }
            let text = TerminalTransmission(text + "\n")
            guard conditions.isForeground, let erasure = state.erasure(conditions) else { return [text] }
            guard let line = state.line, state.suspensions == 0 else { return [erasure, text] }
            return [erasure, text, state.frame(line, conditions)]
        }
    }

    mutating func suspend() {
        suspensions += 1
        guard !isGone else { return }
        transmit(.text) { state, conditions in
            guard conditions.isForeground, let erasure = state.erasure(conditions) else { return [] }
            return [erasure]
        }
    }

    mutating func resume() {
        suspensions -= 1
        draw(at: nil)
    }

    @discardableResult
    private mutating func transmit(
        _ urgency: TerminalUrgency, _ compose: (inout State, TerminalConditions) -> [TerminalTransmission]
    ) -> TerminalOutcome {
        var next = self
        let outcome = device.transmit(urgency) { conditions in
            if !conditions.marks.contains(.line) { next.drawnCells = 0 }
            return compose(&next, conditions)
        }
        switch outcome {
        case .written: self = next
        case .busy, .background: break
        // A text may fail for reasons of its own, and only a frame takes the handlers away.
        case .failed: if urgency == .frame { isGone = true }
        }
        return outcome
    }

    /// Draws over what is there, without clearing it first: that would flicker. The cursor rests in column 0, so that
    /// other output, and a terminal that wraps its lines anew, find it there.
    private mutating func frame(_ line: TerminalLine, _ conditions: TerminalConditions) -> TerminalTransmission {
        let (text, cells) = line.text(columns: conditions.columns)
        defer { drawnCells = cells }
        return TerminalTransmission("\r\(text)\(clearing(conditions))\r", adds: .line)
    }

    private mutating func erasure(_ conditions: TerminalConditions) -> TerminalTransmission? {
        guard conditions.marks.contains(.line) else { return nil }
        defer { drawnCells = 0 }
        return TerminalTransmission("\r\(clearing(conditions))", removes: .line)
    }

    /// Clears the rest of the line; or of the screen, when the window has become so narrow that the line was wrapped.
    private func clearing(_ conditions: TerminalConditions) -> String {
        let isWrapped = conditions.columns > 0 && drawnCells > conditions.columns
        return isWrapped ? "\u{1B}[J" : "\u{1B}[K"
    }

    private mutating func updateProgress(
        _ progress: TerminalProgress, at now: SuspendingClock.Instant, _ conditions: TerminalConditions,
        in transmission: inout TerminalTransmission
    ) {
        let isOn = conditions.marks.contains(.progress)
        let isDue: Bool
        switch progress {
        case .none:
            clearProgress(conditions, in: &transmission)
            return
        case .transitions: isDue = !isOn
        case .repeated: isDue = !isOn || progressSince.map { $0.duration(to: now) >= .seconds(10) } ?? true
        }
        guard isDue else { return }
        progressSince = now
        transmission.bytes += TerminalProgress.start.utf8
        transmission.adds.insert(.progress)
    }

    private func clearProgress(_ conditions: TerminalConditions, in transmission: inout TerminalTransmission) {
        guard conditions.marks.contains(.progress) else { return }
        transmission.bytes += TerminalProgress.clear.utf8
        transmission.removes.insert(.progress)
    }
}
