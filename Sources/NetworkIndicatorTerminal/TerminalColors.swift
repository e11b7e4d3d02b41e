import Foundation

/// Colours for a program's own output, following the same rules as the indicator's colours.
///
/// ```swift
/// let colors = TerminalColors()
/// print("\(colors.successMark)a.txt  \(colors.secondary("13 MB/s"))")
/// ```
///
/// If ``usesColor`` is `false`, the styling methods return their arguments unchanged, and both marks are empty. The
/// terminal's theme defines the colours.
public struct TerminalColors: Sendable, Hashable {
    /// Whether the styling methods and the marks use colours.
    public let usesColor: Bool
    let isUTF8: Bool
    let hasSymbols: Bool
    let has256Colors: Bool

    /// Creates colours from the environment variables, for output to a file descriptor.
    ///
    /// - Parameters:
    ///   - descriptor: The file descriptor to which you write the text. The default is standard output.
    ///   - color: Whether to use colours. `.automatic` follows, in this order, `NO_COLOR`, `FORCE_COLOR`,
    ///     `CLICOLOR_FORCE` and `CLICOLOR`. If none of these variables decides, colours are used only on a terminal
    ///     that supports colours according to `TERM` and `COLORTERM`.
    public init(for descriptor: Int32 = 1, color: TerminalIndicator.Mode = .automatic) {
        let environment = TerminalEnvironment(ProcessInfo.processInfo.environment)
        self.init(environment, color, isTerminal: isatty(descriptor) == 1)
    }

    init(_ environment: TerminalEnvironment, _ color: TerminalIndicator.Mode, isTerminal: Bool) {
        self.init(
            usesColor: environment.usesColor(color, isTerminal: isTerminal), isUTF8: environment.isUTF8,
            hasSymbols: environment.hasSymbols, has256Colors: environment.has256Colors)
    }

    package init(usesColor: Bool, isUTF8: Bool, hasSymbols: Bool = true, has256Colors: Bool = false) {
        self.usesColor = usesColor
        self.isUTF8 = isUTF8
        self.hasSymbols = isUTF8 && hasSymbols
        self.has256Colors = has256Colors
    }

    /// A green `✓` and a space, or an empty string if ``usesColor`` is `false`. If the locale isn't UTF-8, or on the
    /// Linux console, `+` replaces `✓`.
    public var successMark: String { usesColor ? success(hasSymbols ? "✓" : "+") + " " : "" }

    /// A red `✗` and a space, or an empty string if ``usesColor`` is `false`. If the locale isn't UTF-8, or on the
    /// Linux console, `x` replaces `✗`.
    public var failureMark: String { usesColor ? failure(hasSymbols ? "✗" : "x") + " " : "" }

    /// Returns the text in green.
    public func success(_ text: String) -> String { styled(text, "32", end: 39) }

    /// Returns the text in red.
    public func failure(_ text: String) -> String { styled(text, "31", end: 39) }

    /// Returns the text with reduced intensity, for secondary information.
    public func secondary(_ text: String) -> String { styled(text, "2", end: 22) }

    func accent(_ text: String) -> String { styled(text, "35", end: 39) }

    func strong(_ text: String) -> String { styled(text, "1", end: 22) }

    /// A line of a bar that is still empty. Some terminals ignore the code for reduced intensity, so that the line
    /// would be as strong as the full part of the bar. A mid grey is visible on dark and light backgrounds.
    func track(_ text: String) -> String { has256Colors ? styled(text, "38;5;245", end: 39) : secondary(text) }

    private func styled(_ text: String, _ start: String, end: Int) -> String {
        usesColor && !text.isEmpty ? "\u{1B}[\(start)m\(text)\u{1B}[\(end)m" : text
    }
}
