import NetworkIndicator
import NetworkIndicatorTerminal
import NetworkIndicatorTestKit

extension ManualScheduler {
    var startTimer: TerminalIndicator.StartTimer {
        { interval, work in
            self.schedule(at: self.now.advanced(by: interval), repeatingEvery: interval) { work() }
        }
    }
}

extension TerminalIndicator {
    /// An indicator whose timers are those of the scheduler.
    nonisolated convenience init(
        style: Style, _ content: @escaping @MainActor @Sendable () -> Row,
        rows: (@MainActor @Sendable () -> [Row])? = nil, idleText: (@MainActor @Sendable () -> String?)? = nil,
        environment: TerminalEnvironment, screen: TerminalScreen, scheduler: ManualScheduler
    ) {
        self.init(
            style: style, content, rows: rows, idleText: idleText, environment: environment, screen: screen,
            scheduler: scheduler, startTimer: scheduler.startTimer)
    }
}

extension CellWidth {
    static func of(_ text: String) -> Int { text.reduce(0) { $0 + of($1) } }
}
