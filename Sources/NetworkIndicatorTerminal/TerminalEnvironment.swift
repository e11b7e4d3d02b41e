package struct TerminalEnvironment: Sendable {
    private let variables: [String: String]
    private let isLimitedToASCII: Bool

    package init(_ variables: [String: String], isLimitedToASCII: Bool = false) {
        self.variables = variables
        self.isLimitedToASCII = isLimitedToASCII
    }

    package var welcomesAnimation: Bool {
        !lacksCursorCodes && !["CI", "TF_BUILD", "ACCESSIBLE"].contains(where: isOn)
    }

    package func usesColor(_ mode: TerminalIndicator.Mode) -> Bool {
        guard mode == .automatic else { return mode == .always }
        if !self["NO_COLOR"].isEmpty || isOff("FORCE_COLOR") { return false }
        if isOn("FORCE_COLOR") || isOn("CLICOLOR_FORCE") { return true }
        return !isOff("CLICOLOR") && hasColors
    }

    package var isUTF8: Bool {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.map { self[$0] }.first { !$0.isEmpty } ?? ""
        let name = locale.lowercased()
        return name.contains("utf-8") || name.contains("utf8")
    }

    /// The default fonts of the Linux console lack braille patterns, heavy lines and check marks.
    package var hasSymbols: Bool { isUTF8 && self["TERM"] != "linux" && !lacksCursorCodes && !isLimitedToASCII }

    package var frames: [String] {
        hasSymbols ? ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"] : ["-", "\\", "|", "/"]
    }

    private var lacksCursorCodes: Bool {
        let term = self["TERM"]
        return ["", "dumb", "unknown", "emacs", "dialup", "network"].contains(term)
            || ["vt52", "adm", "hp", "tvi", "wy"].contains(where: term.hasPrefix)
    }

    /// Most terminals support colours, so the result is `false` only if `TERM` is unset, empty or a known exception.
    private var hasColors: Bool {
        let term = self["TERM"]
        if lacksCursorCodes { return false }
        return !self["COLORTERM"].isEmpty || term.contains("color")
            || !term.hasPrefix("vt") && !["-m", "-mono"].contains(where: term.hasSuffix)
    }

    /// xterm sets `TERM` to `xterm` although it has 256 colours, and names itself in `XTERM_VERSION`.
    package var has256Colors: Bool {
        let term = self["TERM"]
        return term.contains("256") || !self["COLORTERM"].isEmpty || term == "xterm" && !self["XTERM_VERSION"].isEmpty
            || ["alacritty", "foot", "xterm-kitty", "xterm-ghostty", "wezterm"].contains(where: term.hasPrefix)
    }

    func colors(_ mode: TerminalIndicator.Mode) -> TerminalColors {
        TerminalColors(usesColor: usesColor(mode), isUTF8: isUTF8, hasSymbols: hasSymbols, has256Colors: has256Colors)
    }

    private func isOn(_ name: String) -> Bool { !self[name].isEmpty && !isOff(name) }

    private func isOff(_ name: String) -> Bool { ["0", "false"].contains(self[name].lowercased()) }

    package subscript(name: String) -> String { variables[name] ?? "" }
}
