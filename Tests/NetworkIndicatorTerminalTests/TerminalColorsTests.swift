import NetworkIndicatorTerminal
import Testing

@Suite struct TerminalColorsTests {
    private let colors = TerminalColors(usesColor: true, isUTF8: true)

    @Test func theThemeChoosesTheColors() {
        #expect(colors.success("a") == "\u{1B}[32ma\u{1B}[39m")
        #expect(colors.failure("a") == "\u{1B}[31ma\u{1B}[39m")
        #expect(colors.secondary("a") == "\u{1B}[2ma\u{1B}[22m")
        let block = TerminalBlock(["*"], .init("Label", fraction: 0.5), colors: colors)
        let codes = block.drawing(columns: 80, height: 24).lines[0].matches(of: /\u{1B}\[(.*?)m/).map { String($0.1) }
        #expect(codes == ["35", "39", "35", "39", "2", "22"])
        #expect(colors.success("") == "")
        #expect(colors.successMark == colors.success("✓") + " ")
        #expect(colors.failureMark == colors.failure("✗") + " ")
    }

    @Test(arguments: [
        (["TERM": "xterm-256color"], true), (["TERM": "xterm", "COLORTERM": "truecolor"], true),
        (["TERM": "alacritty"], true), (["TERM": "xterm-kitty"], true), (["TERM": "xterm"], false),
        (["TERM": "xterm", "XTERM_VERSION": "XTerm(379)"], true),
        (["TERM": "vt220", "XTERM_VERSION": "XTerm(379)"], false),
        (["TERM": "linux"], false),
    ])
    func theTrackIsGreyWhereTheTerminalHas256Colors(variables: [String: String], isGrey: Bool) {
        let environment = TerminalEnvironment(variables)
        #expect(environment.has256Colors == isGrey)
        let colors = TerminalColors(usesColor: true, isUTF8: true, has256Colors: environment.has256Colors)
        let line = TerminalBlock(["*"], .init("Label", fraction: 0), colors: colors)
            .drawing(columns: 80, height: 24).lines[0]
        #expect(line.contains(isGrey ? "\u{1B}[38;5;245m──" : "\u{1B}[2m──"))
    }

    @Test func theLinuxConsoleHasNoCheckMark() {
        let colors = TerminalColors(usesColor: true, isUTF8: true, hasSymbols: false)
        #expect(colors.successMark == colors.success("+") + " ")
    }

    @Test func withoutColorsTextStaysAsItIs() {
        let colors = TerminalColors(usesColor: false, isUTF8: true)
        #expect(colors.success("a") + colors.failure("b") + colors.secondary("c") == "abc")
        #expect(colors.successMark + colors.failureMark == "")
    }
}
