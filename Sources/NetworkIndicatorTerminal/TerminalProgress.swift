import Foundation

/// When to send OSC 9;4, the control sequence that sets the terminal's own progress bar.
package enum TerminalProgress: Sendable, Equatable {
    case none
    /// The sequence is sent only when the progress changes.
    case transitions
    /// The sequence is also sent every ten seconds, because Ghostty clears the bar 15 s after the latest sequence.
    case repeated

    /// The sequence ends with ST, because VTE ignores this sequence if it ends with BEL.
    package static func sequence(percent: Int?) -> String { "\u{1B}]9;4;\(percent.map { "1;\($0)" } ?? "3;0")\u{1B}\\" }

    package static let clear = "\u{1B}]9;4;0;0\u{1B}\\"
}

extension TerminalEnvironment {
    /// `.automatic` uses only a bar that is known to exist, because older versions of iTerm2 and kitty show a
    /// notification instead.
    package func progress(_ mode: TerminalIndicator.Mode) -> TerminalProgress {
        switch mode {
        case .never: .none
        case .automatic: detectedProgress
        case .always: detectedProgress == .none ? .transitions : detectedProgress
        }
    }

    private var detectedProgress: TerminalProgress {
        let term = self["TERM"]
        let program = self["TERM_PROGRAM"]
        // Inside a multiplexer, variables such as `VTE_VERSION` describe the outer terminal, which may have been
        // closed. If both screen and tmux run, `STY` and `TMUX` don't show which of the two is the inner one.
        if !self["STY"].isEmpty { return .none }
        if !self["TMUX"].isEmpty || term.hasPrefix("screen") || term.hasPrefix("tmux") {
            return program == "tmux" && has("TERM_PROGRAM_VERSION", "3.7") ? .transitions : .none
        }
        // If another terminal started one of the following terminals, the variables below may describe that other
        // terminal.
        if term == "linux" || term == "xterm-kitty" || term.hasPrefix("foot") { return .none }
        if program == "ghostty" {
            return self["TERM_PROGRAM_VERSION"].isEmpty || has("TERM_PROGRAM_VERSION", "1.2") ? .repeated : .none
        }
        let isKnown =
            !self["WT_SESSION"].isEmpty || self["ConEmuANSI"] == "ON" || program == "WezTerm"
            || program == "vscode" && has("TERM_PROGRAM_VERSION", "1.97")
            // In `TERM_FEATURES`, such as `T3LrP`, each feature begins with a capital letter, and `P` is the progress
            // bar.
            || self["TERM_FEATURES"].contains(/P(?![^A-Z])/)
            || has("PTYXIS_VERSION", "48") || has("KONSOLE_VERSION", "260400") || has("VTE_VERSION", "8000")
        return isKnown ? .transitions : .none
    }

    /// Whether the variable contains at least this version. tmux calls a version under development `next-3.8`.
    private func has(_ name: String, _ minimum: String) -> Bool {
        let version = self[name].drop { !$0.isNumber }
        return version.compare(minimum, options: .numeric) != .orderedAscending
    }
}
