import Foundation

/// A terminal without a height, which shows all rows that were ever written.
package struct TerminalEmulator: Sendable {
    package private(set) var columns: Int
    /// OSC 9;4
    package private(set) var progress: [String] = []
    package private(set) var unknown: [String] = []
    package private(set) var wraps = true
    package private(set) var column = 0
    private var line = 0
    /// The right half of a wide character is empty.
    private var lines: [[String]] = [[]]
    private var isWrapPending = false
    private var pending: [UInt8] = []
    private var saved = (line: 0, column: 0)

    package init(columns: Int) { self.columns = columns }

    /// A narrower window wraps its rows. The cursor stays in the first of the rows to which its row is wrapped.
    package mutating func resize(columns new: Int) {
        var wrapped: [[String]] = []
        var first = 0
        for (index, cells) in lines.enumerated() {
            if index == line { first = wrapped.count }
            let length = max(1, (cells.lastIndex { $0 != " " } ?? 0) + 1)
            for start in stride(from: 0, to: length, by: new) {
                wrapped.append(Array(cells.dropFirst(start).prefix(min(new, length - start))))
            }
        }
        (lines, line, column, columns) = (wrapped, first + column / new, column % new, new)
    }

    package var rows: [String] {
        let rows = lines.map(text)
        return Array(rows.prefix((rows.lastIndex { $0 != "" } ?? -1) + 1))
    }

    package var currentRow: String { text(of: lines[line]) }

    private func text(of cells: [String]) -> String { String(cells.joined().reversed().drop { $0 == " " }.reversed()) }

    package mutating func feed(_ text: String) { feed(text.utf8) }

    package mutating func feed(_ bytes: some Sequence<UInt8>) {
        for byte in bytes {
            pending.append(byte)
            if isComplete { perform() }
        }
    }

    private var isComplete: Bool {
        guard pending[0] == 0x1B else {
            let length = pending[0] < 0x80 ? 1 : pending[0] < 0xE0 ? 2 : pending[0] < 0xF0 ? 3 : 4
            return pending.count >= length
        }
        guard pending.count > 1 else { return false }
        switch pending[1] {
        case UInt8(ascii: "["): return pending.count > 2 && (0x40...0x7E).contains(pending[pending.count - 1])
        case UInt8(ascii: "]"): return pending.suffix(2) == [0x1B, UInt8(ascii: "\\")] || pending.last == 7
        default: return true
        }
    }

    private mutating func perform() {
        let sequence = String(decoding: pending, as: UTF8.self)
        pending = []
        switch sequence {
        case "\r": move(to: line, 0)
        case "\n": move(to: line + 1, 0)
        case "\u{1B}[?7h": wraps = true
        case "\u{1B}[?7l": wraps = false
        case "\u{1B}[?2026h", "\u{1B}[?2026l": break
        case "\u{1B}7": saved = (line, column)
        case "\u{1B}8": move(to: saved.line, saved.column)
        case "\u{1B}[B": move(to: min(line + 1, lines.count - 1), column)
        case "\u{1B}[K": lines[line].removeSubrange(min(column, lines[line].count)...)
        default:
            let number = Int(sequence.dropFirst(2).dropLast()) ?? 1
            if sequence.hasPrefix("\u{1B}]9;4;"), sequence.hasSuffix("\u{1B}\\") {
                progress.append(String(sequence.dropFirst(6).dropLast(2)))
            } else if sequence.hasPrefix("\u{1B}["), sequence.hasSuffix("G") {
                move(to: line, number - 1)
            } else if sequence.hasPrefix("\u{1B}["), sequence.hasSuffix("A") {
                move(to: max(0, line - number), column)
            } else if !sequence.hasPrefix("\u{1B}"), let scalar = sequence.unicodeScalars.first {
                draw(scalar)
            } else if !sequence.hasSuffix("m") {
                unknown.append(sequence)
            }
        }
    }

    private mutating func move(to line: Int, _ column: Int) {
        if line == lines.count { lines.append([]) }
        (self.line, self.column, isWrapPending) = (line, column, false)
    }

    private mutating func draw(_ scalar: Unicode.Scalar) {
        let width = Self.width(of: scalar)
        guard width > 0 else { return }
        if wraps, isWrapPending || column + width > columns { move(to: line + 1, 0) }
        column = min(column, columns - width)
        let missing = column + width - lines[line].count
        if missing > 0 { lines[line] += repeatElement(" ", count: missing) }
        lines[line].replaceSubrange(column..<(column + width), with: [String(scalar), ""].prefix(width))
        isWrapPending = column + width == columns
        column += isWrapPending ? width - 1 : width
    }

    private static func width(of scalar: Unicode.Scalar) -> Int { Int(wcwidth?(Int32(bitPattern: scalar.value)) ?? 1) }

    private static let wcwidth: (@convention(c) (Int32) -> Int32)? = {
        setlocale(LC_CTYPE, "C.UTF-8")
        return unsafeBitCast(dlsym(dlopen(nil, RTLD_NOW), "wcwidth"), to: (@convention(c) (Int32) -> Int32)?.self)
    }()
}
