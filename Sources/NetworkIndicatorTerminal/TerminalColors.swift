/// The styles of a row's parts, in the colours of the terminal's theme.
package struct TerminalColors: Sendable, Hashable {
    let usesColor: Bool
    let isUTF8: Bool
    var hasSymbols = true

    func success(_ text: String) -> String { styled(text, "32", end: 39) }

    func failure(_ text: String) -> String { styled(text, "31", end: 39) }

    func accent(_ text: String) -> String { styled(text, "35", end: 39) }

    func secondary(_ text: String) -> String { styled(text, "2", end: 22) }

    func strong(_ text: String) -> String { styled(text, "1", end: 22) }

    private func styled(_ text: String, _ start: String, end: Int) -> String {
        usesColor && !text.isEmpty ? "\u{1B}[\(start)m\(text)\u{1B}[\(end)m" : text
    }
}
