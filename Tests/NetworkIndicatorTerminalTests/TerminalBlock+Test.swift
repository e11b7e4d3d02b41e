@testable import NetworkIndicatorTerminal

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
