/// The features of the terminal that the environment variables describe.
package struct TerminalEnvironment: Sendable {
    private let variables: [String: String]

    package init(_ variables: [String: String]) { self.variables = variables }

    /// Whether the environment permits drawing on a terminal.
    package var welcomesAnimation: Bool {
        !lacksCursorCodes && !["CI", "TF_BUILD", "ACCESSIBLE"].contains(where: isOn)
    }

    /// Returns whether to use colours. The mode takes precedence. For `.auto`, the function evaluates `NO_COLOR`, then
    /// `FORCE_COLOR` and `CLICOLOR_FORCE`, then `CLICOLOR`, then the terminal.
    package func usesColor(_ mode: TerminalIndicator.Mode, isTerminal: Bool = true) -> Bool {
        guard mode == .auto else { return mode == .always }
        if !self["NO_COLOR"].isEmpty || isOff("FORCE_COLOR") { return false }
        if isOn("FORCE_COLOR") || isOn("CLICOLOR_FORCE") { return true }
        return isTerminal && !isOff("CLICOLOR") && hasColors
    }

    /// Whether the locale's encoding is UTF-8.
    package var isUTF8: Bool {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.map { self[$0] }.first { !$0.isEmpty } ?? ""
        let name = locale.lowercased()
        return name.contains("utf-8") || name.contains("utf8")
    }

    /// Whether the terminal can show braille, lines and check marks. The fonts of the Linux console lack these
    /// characters.
    package var hasSymbols: Bool { isUTF8 && self["TERM"] != "linux" }

    /// The spinner's pictures.
    package var frames: [String] {
        hasSymbols ? ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"] : ["-", "\\", "|", "/"]
    }

    /// Whether the terminal doesn't support sequences that begin with `ESC [`. A shell window of Emacs sets `TERM` to
    /// `emacs`.
    private var lacksCursorCodes: Bool {
        let term = self["TERM"]
        return ["", "dumb", "unknown", "emacs", "dialup", "network"].contains(term)
            || ["vt52", "adm", "hp", "tvi", "wy"].contains(where: term.hasPrefix)
    }

    /// Whether the terminal has the eight colours of a theme. Only old terminals lack these colours.
    private var hasColors: Bool {
        let term = self["TERM"]
        guard !lacksCursorCodes else { return false }
        return !self["COLORTERM"].isEmpty || term.contains("color")
            || !term.hasPrefix("vt") && !["-m", "-mono"].contains(where: term.hasSuffix)
    }

    private func isOn(_ name: String) -> Bool { !self[name].isEmpty && !isOff(name) }

    private func isOff(_ name: String) -> Bool { ["0", "false"].contains(self[name].lowercased()) }

    /// The value of a variable, or an empty string if the variable isn't set.
    package subscript(name: String) -> String { variables[name] ?? "" }
}
