import NetworkIndicator
import NetworkIndicatorTestKit

@testable import NetworkIndicatorTerminal

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
        style: Style, environment: [String: String] = [:], screen: TerminalScreen, scheduler: ManualScheduler,
        rows: (@MainActor @Sendable () -> [Row])? = nil, idleText: (@MainActor @Sendable () -> String?)? = nil,
        startTimer: StartTimer? = nil, _ content: @escaping @MainActor @Sendable () -> Row
    ) {
        let base = ["TERM": "xterm", "LANG": "en_US.UTF-8", "NO_COLOR": "1"]
        self.init(
            style: style, content, rows: rows, idleText: idleText,
            environment: TerminalEnvironment(base.merging(environment) { $1 }), screen: screen, scheduler: scheduler,
            startTimer: startTimer ?? scheduler.startTimer)
    }
}

extension TerminalBlock {
    /// A block without colours.
    init(_ label: String, rows: [TerminalIndicator.Row] = [], pictures: [String] = ["*"]) {
        self.init(pictures, .init(label), colors: TerminalColors(usesColor: false, isUTF8: true))
        self.rows = rows
    }
}

extension CellWidth {
    static func of(_ text: String) -> Int { text.reduce(0) { $0 + of($1) } }
}
