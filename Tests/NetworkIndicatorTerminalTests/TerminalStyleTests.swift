import NetworkIndicatorTerminal
import Testing

@Suite struct TerminalStyleTests {
    private let style = TerminalStyle(usesColor: true, isUTF8: true)

    @Test func theThemeChoosesTheColors() {
        #expect(style.success("a") == "\u{1B}[32ma\u{1B}[39m")
        #expect(style.failure("a") == "\u{1B}[31ma\u{1B}[39m")
        #expect(style.secondary("a") == "\u{1B}[2ma\u{1B}[22m")
        var line = TerminalLine(glyph: "*", label: "Label", style: style)
        line.percent = 50
        let codes = line.text(columns: 80).matches(of: /\u{1B}\[(.*?)m/).map { String($0.1) }
        #expect(codes == ["35", "39", "35", "39", "2", "22"])
        #expect(style.success("") == "")
        #expect(style.successMark == style.success("✓") + " ")
        #expect(style.failureMark == style.failure("✗") + " ")
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
