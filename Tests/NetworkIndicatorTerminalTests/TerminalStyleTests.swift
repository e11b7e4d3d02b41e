import Foundation
import NetworkIndicatorTerminal
import Testing

@Suite struct TerminalStyleTests {
    private let style = TerminalStyle(usesColor: true, isUTF8: true)

    @Test func colorsEndWithTheDefaultForeground() {
        for text in [style.success("a"), style.failure("a"), style.secondary("a")] {
            #expect(text.wholeMatch(of: /\u{1B}\[38;5;\d+ma\u{1B}\[39m/) != nil)
        }
        #expect(style.success("") == "")
        #expect(style.successMark == style.success("✓") + " ")
        #expect(style.failureMark == style.failure("✗") + " ")
    }

    @Test func otherLocalesGetASCIIMarks() {
        let style = TerminalStyle(usesColor: true, isUTF8: false)
        #expect(style.successMark == style.success("+") + " ")
        #expect(style.failureMark == style.failure("x") + " ")
    }

    @Test func withoutColorsTextStaysAsItIs() {
        let style = TerminalStyle(usesColor: false, isUTF8: true)
        #expect(style.success("a") + style.failure("b") + style.secondary("c") == "abc")
        #expect(style.successMark + style.failureMark == "")
    }

    @Test func theModeDecides() {
        #expect(TerminalStyle(color: .always).usesColor)
        #expect(!TerminalStyle(color: .never).usesColor)
    }

    /// The Web Content Accessibility Guidelines require a contrast of 4.5:1 for text.
    @Test func everyColorIsLegibleOnWhiteAndOnBlack() throws {
        var line = TerminalLine(glyph: "*", label: "Label", style: style)
        line.percent = 50
        let text = line.text(columns: 80) + style.success("a") + style.failure("a") + style.secondary("a")
        let colors = Set(text.matches(of: /38;5;(\d+)m/).compactMap { Int($0.1) })
        #expect(colors.count == 4)
        for color in colors {
            let luminance = try #require(Self.luminance(of: color))
            #expect(1.05 / (luminance + 0.05) >= 4.5, "\(color) on white")
            #expect((luminance + 0.05) / 0.05 >= 4.5, "\(color) on black")
        }
        #expect(!text.contains("\u{1B}[3\u{6D}") && text.matches(of: /\[(3[0-7]|9[0-7]|2)m/).isEmpty)
    }

    /// Returns the relative luminance of one of the 256 colours, or `nil` for the first sixteen, which themes define.
    private static func luminance(of color: Int) -> Double? {
        let levels: [Double]
        switch color {
        case 16...231:
            let steps = [0.0, 95, 135, 175, 215, 255]
            levels = [(color - 16) / 36, (color - 16) / 6 % 6, (color - 16) % 6].map { steps[$0] }
        case 232...255: levels = [Double](repeating: Double(8 + (color - 232) * 10), count: 3)
        default: return nil
        }
        let linear = levels.map { $0 / 255 }.map { $0 <= 0.04045 ? $0 / 12.92 : pow(($0 + 0.055) / 1.055, 2.4) }
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    }
}
