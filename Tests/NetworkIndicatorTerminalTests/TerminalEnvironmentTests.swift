import Testing

@testable import NetworkIndicatorTerminal

@Suite struct TerminalEnvironmentTests {
    @Test(arguments: [
        ([:], true), (["TERM": ""], false), (["TERM": "dumb"], false), (["TERM": "unknown"], false),
        (["TERM": "linux"], true), (["TERM": "vt100"], true), (["TERM": "vt52"], false), (["TERM": "wyse60"], false),
        (["TERM": "emacs"], false), (["CI": ""], true), (["CI": "0"], true), (["CI": "false"], true),
        (["CI": "True"], false), (["CI": "1"], false), (["TF_BUILD": "True"], false), (["TF_BUILD": "False"], true),
        (["ACCESSIBLE": "1"], false), (["ACCESSIBLE": "yes"], false), (["ACCESSIBLE": ""], true),
        (["ACCESSIBLE": "0"], true), (["ACCESSIBLE": "False"], true), (["NO_COLOR": "1"], true),
    ])
    func animation(variables: [String: String], isWelcome: Bool) {
        let environment = TerminalEnvironment(["TERM": "xterm"].merging(variables) { $1 })
        #expect(environment.welcomesAnimation == isWelcome && !TerminalEnvironment([:]).welcomesAnimation)
    }

    @Test(arguments: [
        ([:], true), (["TERM": "dumb"], false), (["NO_COLOR": "1"], false), (["NO_COLOR": ""], true),
        (["NO_COLOR": "0"], false), (["NO_COLOR": "1", "FORCE_COLOR": "1"], false),
        (["TERM": "dumb", "FORCE_COLOR": "1"], true), (["TERM": "dumb", "FORCE_COLOR": "0"], false),
        (["TERM": "dumb", "FORCE_COLOR": ""], false), (["TERM": "dumb", "CLICOLOR_FORCE": "1"], true),
        (["TERM": "dumb", "CLICOLOR_FORCE": "0"], false), (["FORCE_COLOR": "0"], false),
        (["FORCE_COLOR": "false"], false),
        (["FORCE_COLOR": "0", "CLICOLOR_FORCE": "1"], false), (["CLICOLOR": "0"], false), (["CLICOLOR": "1"], true),
        (["CLICOLOR": "0", "CLICOLOR_FORCE": "1"], true), (["CLICOLOR": "0", "FORCE_COLOR": "1"], true),
        (["TERM": "vt52"], false), (["TERM": "vt100"], true),
        (["TERM": "linux"], true), (["TERM": "rxvt-unicode-256color"], true), (["TERM": "screen"], true),
        (["TERM": "tmux"], true), (["TERM": "screen.xterm"], true),
    ])
    func color(variables: [String: String], isUsed: Bool) {
        let environment = TerminalEnvironment(["TERM": "xterm"].merging(variables) { $1 })
        #expect(environment.usesColor(.automatic) == isUsed)
        #expect(environment.usesColor(.always))
        #expect(!environment.usesColor(.never))
    }

    @Test(arguments: [
        (["LANG": "de_DE.UTF-8"], true), (["LANG": "C.utf8"], true), ([:], false), (["LANG": "C"], false),
        (["LANG": "de_DE.UTF-8", "LC_ALL": "C"], false), (["LANG": "C", "LC_CTYPE": "C.UTF-8"], true),
        (["LC_ALL": "", "LC_CTYPE": "", "LANG": "C.UTF-8"], true), (["LANG": "de_DE.ISO-8859-1"], false),
    ])
    func locale(variables: [String: String], isUTF8: Bool) {
        let environment = TerminalEnvironment(variables.merging(["TERM": "xterm"]) { $1 })
        #expect(environment.isUTF8 == isUTF8)
        #expect(environment.frames.count == (isUTF8 ? 10 : 4))
    }

    @Test(arguments: [("linux", false), ("xterm", true)])
    func theDrawingIsLimitedToASCII(term: String, byStyle: Bool) {
        let environment = TerminalEnvironment(["TERM": term, "LANG": "C.UTF-8"], isLimitedToASCII: byStyle)
        #expect(environment.frames == ["-", "\\", "|", "/"] && environment.isUTF8 && !environment.hasSymbols)
    }

    // MARK: The progress bar

    private static let environmentsWithABar: [[String: String]] = [
        ["WT_SESSION": "0c0"], ["ConEmuANSI": "ON"], ["TERM_PROGRAM": "WezTerm"],
        ["TERM_PROGRAM": "vscode", "TERM_PROGRAM_VERSION": "1.97.0"],
        ["TERM_PROGRAM": "vscode", "TERM_PROGRAM_VERSION": "1.105.1-insider"],
        ["TERM_PROGRAM": "iTerm.app", "TERM_FEATURES": "T3LrMSc7UUw9Ts3BFGsSyHNoSxP"], ["PTYXIS_VERSION": "48.0"],
        ["KONSOLE_VERSION": "260400"], ["VTE_VERSION": "8000"],
        ["TMUX": "/tmp/tmux", "TERM": "tmux-256color", "TERM_PROGRAM": "tmux", "TERM_PROGRAM_VERSION": "3.7"],
        ["TMUX": "/tmp/tmux", "TERM": "screen", "TERM_PROGRAM": "tmux", "TERM_PROGRAM_VERSION": "3.10a"],
        ["TMUX": "/tmp/tmux", "TERM_PROGRAM": "tmux", "TERM_PROGRAM_VERSION": "next-3.8"],
    ]

    private static let environmentsWithoutABar: [[String: String]] = [
        [:], ["TERM_PROGRAM": "vscode"], ["TERM_PROGRAM": "vscode", "TERM_PROGRAM_VERSION": "1.96.4"],
        ["TERM_PROGRAM": "iTerm.app"], ["TERM_PROGRAM": "iTerm.app", "TERM_FEATURES": "T3LrMSc7"],
        ["TERM_FEATURES": "T3PrLr"], ["TERM_FEATURES": "P2"],
        ["TERM_PROGRAM": "ghostty", "TERM_PROGRAM_VERSION": "1.1.3"],
        ["TERM_PROGRAM": "Apple_Terminal"], ["VTE_VERSION": "7991"],
        ["VTE_VERSION": "8400", "TERM": "foot-extra"], ["ConEmuANSI": "OFF"], ["PTYXIS_VERSION": "47.9"],
        ["PTYXIS_VERSION": "x"], ["KONSOLE_VERSION": "251203"], ["KONSOLE_VERSION": ""], ["WT_SESSION": ""],
        ["TERM": "xterm-kitty", "TERM_PROGRAM": "ghostty"], ["TERM": "linux", "PTYXIS_VERSION": "48.0"],
        ["TERM_PROGRAM": "tmux", "TERM_PROGRAM_VERSION": "3.6a", "TMUX": "/tmp/tmux"],
        ["TERM_PROGRAM": "tmux", "TMUX": "/tmp/tmux"], ["TERM_PROGRAM": "ghostty", "TMUX": "/tmp/tmux"],
        ["WT_SESSION": "0c0", "TERM": "screen.xterm-256color"], ["WT_SESSION": "0c0", "TERM": "tmux-256color"],
        ["WT_SESSION": "0c0", "STY": "1.pts"], ["KONSOLE_VERSION": "260400", "TMUX": "/tmp/tmux"],
        ["STY": "1.pts", "TMUX": "/tmp/tmux", "TERM_PROGRAM": "tmux", "TERM_PROGRAM_VERSION": "3.7"],
    ]

    @Test(arguments: [
        (TerminalProgress.transitions, environmentsWithABar), (.none, environmentsWithoutABar),
        (.repeated, [[:], ["TERM_PROGRAM_VERSION": "1.2.0"], ["TERM_PROGRAM_VERSION": "1.10"]]),
    ])
    func progressBar(expected: TerminalProgress, environments: [[String: String]]) {
        for variables in environments {
            let base = ["TERM": "xterm-256color", "TERM_PROGRAM": expected == .repeated ? "ghostty" : ""]
            let environment = TerminalEnvironment(base.merging(variables) { $1 })
            #expect(environment.progress(.automatic) == expected, "\(variables)")
            #expect(environment.progress(.always) == (expected == .none ? .transitions : expected))
            #expect(environment.progress(.never) == .none)
        }
    }
}
