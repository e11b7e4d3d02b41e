import Foundation

/// Colours for a program's own lines. They follow the same rules as the indicator.
///
/// ```swift
/// let style = TerminalStyle()
/// print("\(style.successMark)a.txt  \(style.secondary("13 MB/s"))")
/// ```
///
/// Without colours every method returns its argument unchanged, and both marks are empty. Each colour has a contrast of at
/// least 4.5:1 on white and on black.
public struct TerminalStyle: Sendable, Hashable {
    /// Whether the methods add colours.
    public let usesColor: Bool
    /// Whether characters beyond ASCII can be written.
    let isUTF8: Bool

    /// Reads the environment, and checks whether a descriptor is a terminal.
    ///
    /// - Parameters:
    ///   - descriptor: The descriptor that the lines are written to. The default is standard output.
    ///   - color: Whether to use colours. `.auto` follows `NO_COLOR`, then `FORCE_COLOR` and `CLICOLOR_FORCE`, then
    ///     `CLICOLOR`. If none of them decides, colours need a terminal that is known to have 256 of them.
    public init(for descriptor: Int32 = 1, color: TerminalIndicator.Mode = .auto) {
        let environment = TerminalEnvironment(ProcessInfo.processInfo.environment)
        self.init(environment, color, isTerminal: isatty(descriptor) == 1)
    }

    init(_ environment: TerminalEnvironment, _ color: TerminalMode, isTerminal: Bool) {
        self.init(usesColor: environment.usesColor(color, isTerminal: isTerminal), isUTF8: environment.isUTF8)
    }

    package init(usesColor: Bool, isUTF8: Bool) {
        self.usesColor = usesColor
        self.isUTF8 = isUTF8
    }

    /// A green `✓`, or `+` without UTF-8, and a space; empty without colours.
    public var successMark: String { usesColor ? success(isUTF8 ? "✓" : "+") + " " : "" }

    /// A red `✗`, or `x` without UTF-8, and a space; empty without colours.
    public var failureMark: String { usesColor ? failure(isUTF8 ? "✗" : "x") + " " : "" }

    /// Returns the text in green.
    public func success(_ text: String) -> String { colored(text, 29) }

    /// Returns the text in red.
    public func failure(_ text: String) -> String { colored(text, 131) }

    /// Returns the text in grey, for secondary information.
    public func secondary(_ text: String) -> String { colored(text, 243) }

    /// The colour of the spinner and of the bar.
    func accent(_ text: String) -> String { colored(text, 63) }

    /// - Parameter color: One of the 256 colours, except the first sixteen, which differ between themes.
    private func colored(_ text: String, _ color: Int) -> String {
        usesColor && !text.isEmpty ? "\u{1B}[38;5;\(color)m\(text)\u{1B}[39m" : text
    }
}
