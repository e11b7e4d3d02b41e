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
        return !isOff("CLICOLOR") && !lacksCursorCodes
    }

    package var isUTF8: Bool {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.map { self[$0] }.first { !$0.isEmpty } ?? ""
        return locale.lowercased().contains(/utf-?8/)
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

    func colors(_ mode: TerminalIndicator.Mode) -> TerminalColors {
        TerminalColors(usesColor: usesColor(mode), isUTF8: isUTF8, hasSymbols: hasSymbols)
    }

    private func isOn(_ name: String) -> Bool { !self[name].isEmpty && !isOff(name) }

    private func isOff(_ name: String) -> Bool { ["0", "false"].contains(self[name].lowercased()) }

    package subscript(name: String) -> String { variables[name] ?? "" }
}
