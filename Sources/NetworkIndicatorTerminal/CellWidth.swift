/// Terminals disagree about emoji: some draw `👩‍👩‍👧` in two cells, others in six. This type counts the larger number,
/// because a row wider than the window might lose its end.
package enum CellWidth {
    package static func of(_ character: Character) -> Int {
        // ☂️: the selector turns a narrow symbol into a wide emoji.
        character.unicodeScalars.reduce(0) { $1 == emojiSelector ? $0 + $0 % 2 : $0 + of($1) }
    }

    package static func of(_ scalar: Unicode.Scalar) -> Int {
        let value = scalar.value
        if value < 0x300 { return value == 0xAD ? 0 : 1 }
        if [.nonspacingMark, .enclosingMark, .format].contains(scalar.properties.generalCategory) { return 0 }
        // Conjoining Hangul vowels and final consonants are drawn in the cells of the leading consonant.
        if (0x1160...0x11FF).contains(value) || (0xD7B0...0xD7FF).contains(value) { return 0 }
        if scalar.properties.isEmojiPresentation { return 2 }
        return wide.contains { $0.contains(value) } ? 2 : 1
    }

    private static let emojiSelector: Unicode.Scalar = "\u{FE0F}"

    /// The scalars with East Asian Width W or F in Unicode 17. This list omits most emoji, because `of(_:)` checks the
    /// property Emoji_Presentation first. The ranges also include unassigned scalars and the regional indicators.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2329...0x232A, 0x2630...0x2637, 0x268A...0x268F, 0x2E80...0x303E, 0x3041...0x3247,
        0x3250...0xA4C6, 0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6B,
        0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x16FF6, 0x17000...0x18DF2, 0x1AFF0...0x1B2FB, 0x1D300...0x1D376,
        0x1F1E6...0x1F202, 0x1F210...0x1F265, 0x1FA70...0x1FAFF, 0x20000...0x3FFFD,
    ]
}
