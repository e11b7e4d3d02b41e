import NetworkIndicatorTerminal
import Testing

@Suite struct TerminalStyleTests {
    private let style = TerminalStyle(usesColor: true, isUTF8: true)

    @Test func theThemeChoosesTheColors() {
        #expect(style.success("a") == "\u{1B}[32ma\u{1B}[39m")
        #expect(style.failure("a") == "\u{1B}[31ma\u{1B}[39m")
        #expect(style.secondary("a") == "\u{1B}[2ma\u{1B}[22m")
        let block = TerminalBlock(glyph: "*", .init("Label", fraction: 0.5), style: style)
        let codes = block.drawing(columns: 80, height: 24).lines[0].matches(of: /\u{1B}\[(.*?)m/).map { String($0.1) }
        #expect(codes == ["35", "39", "35", "39", "2", "22"])
        #expect(style.success("") == "")
        #expect(style.successMark == style.success("✓") + " ")
        #expect(style.failureMark == style.failure("✗") + " ")
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
        let style = TerminalStyle(usesColor: true, isUTF8: true, has256Colors: environment.has256Colors)
        let line = TerminalBlock(glyph: "*", .init("Label", fraction: 0), style: style)
            .drawing(columns: 80, height: 24).lines[0]
        #expect(line.contains(isGrey ? "\u{1B}[38;5;245m──" : "\u{1B}[2m──"))
    }

    @Test func theLinuxConsoleHasNoCheckMark() {
        let style = TerminalStyle(usesColor: true, isUTF8: true, hasSymbols: false)
        #expect(style.successMark == style.success("+") + " ")
    }

    @Test func withoutColorsTextStaysAsItIs() {
        let style = TerminalStyle(usesColor: false, isUTF8: true)
        #expect(style.success("a") + style.failure("b") + style.secondary("c") == "abc")
        #expect(style.successMark + style.failureMark == "")
    }
}
