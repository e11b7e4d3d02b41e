/// When something is done: as the terminal and the environment suggest, always, or never.
package typealias TerminalMode = TerminalIndicator.Mode

/// What the environment variables say about the terminal.
package struct TerminalEnvironment: Sendable {
    private let variables: [String: String]

    package init(_ variables: [String: String]) { self.variables = variables }

    /// Whether a moving line is welcome, on a descriptor that is a terminal.
    package var welcomesAnimation: Bool {
        let accessible = ["", "0", "false"].contains(self["ACCESSIBLE"].lowercased())
        return !lacksCursorCodes && variables["CI"] == nil && variables["TF_BUILD"] == nil && accessible
    }

    /// Whether to use colours, on a descriptor that is a terminal: the mode, then `NO_COLOR`, then what forces them, then
    /// the terminal itself.
    package func usesColor(_ mode: TerminalMode) -> Bool {
        switch mode {
        case .always: return true
        case .never: return false
        case .auto: break
        }
        if !self["NO_COLOR"].isEmpty { return false }
        if ["FORCE_COLOR", "CLICOLOR_FORCE"].contains(where: { !["", "0"].contains(self[$0]) }) { return true }
        return !lacksCursorCodes
    }

    /// Whether the locale's characters are UTF-8.
    package var isUTF8: Bool {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.map { self[$0] }.first { !$0.isEmpty } ?? ""
        let name = locale.lowercased()
        return name.contains("utf-8") || name.contains("utf8")
    }

    /// The frames of a spinner that the terminal's font and locale have.
    package var frames: [String] {
        isUTF8 && self["TERM"] != "linux"
            ? ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"] : ["-", "\\", "|", "/"]
    }

    private var lacksCursorCodes: Bool { ["", "dumb", "unknown"].contains(self["TERM"]) }

    /// The value of a variable; empty where it is not set.
    package subscript(name: String) -> String { variables[name] ?? "" }
}
