import Foundation

struct TerminalEmulator: Sendable {
    private(set) var columns: Int
    var ambiguousIsWide = false
    /// OSC 9;4
    private(set) var progress: [String] = []
    private(set) var unknown: [String] = []
    private(set) var wraps = true
    private var lines: [[Cell]] = [[]]
    private var line = 0
    private var offset = 0
    private var isWrapPending = false
    private var pending: [UInt8] = []
    private var saved = (line: 0, offset: 0)

    private enum Cell: Equatable {
        case character(String)
        case rightHalf
        case blank
    }

    init(columns: Int) { self.columns = columns }

    /// A narrower window wraps its lines. The cursor stays in the first of the lines to which its line is wrapped.
    mutating func resize(columns new: Int) {
        var wrapped: [[Cell]] = []
        var cursor = (line: 0, offset: offset % new)
        for (index, cells) in lines.enumerated() {
            if index == line { cursor.line = wrapped.count + offset / new }
            let length = max(cells.lastIndex { $0 != .blank }.map { $0 + 1 } ?? 0, index == line ? offset : 0)
            for start in stride(from: 0, to: max(1, length), by: new) {
                wrapped.append(Array(cells[start..<min(start + new, length)]))
            }
        }
        (lines, line, offset, columns) = (wrapped, cursor.line, cursor.offset, new)
    }

    var rows: [String] {
        var rows = lines.flatMap { wrapped($0) }
        while rows.last == "" { rows.removeLast() }
        return rows
    }

    var currentRow: String { wrapped(lines[line])[0] }

    var column: Int { offset % columns }

    private func wrapped(_ line: [Cell]) -> [String] {
        stride(from: 0, to: max(1, line.count), by: columns).map { start in
            text(of: line[start..<min(start + columns, line.count)])
        }
    }

    private func text(of cells: ArraySlice<Cell>) -> String {
        var text = ""
        for cell in cells {
            switch cell {
            case .character(let character): text += character
            case .rightHalf: break
            case .blank: text += " "
            }
        }
        return String(text.reversed().drop { $0 == " " }.reversed())
    }

    mutating func feed(_ text: String) { feed(text.utf8) }

    mutating func feed(_ bytes: some Sequence<UInt8>) {
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
        if sequence.hasPrefix("\u{1B}") {
            perform(sequence: sequence)
        } else if sequence == "\r" {
            offset -= column
            isWrapPending = false
        } else if sequence == "\n" {
            line += 1
            if line == lines.count { lines.append([]) }
            offset = 0
            isWrapPending = false
        } else if let scalar = sequence.unicodeScalars.first {
            draw(scalar)
        }
    }

    private mutating func perform(sequence: String) {
        switch sequence {
        case "\u{1B}[?7h": wraps = true
        case "\u{1B}[?7l": wraps = false
        case "\u{1B}7": saved = (line, offset)
        case "\u{1B}8": (line, offset) = saved
        case "\u{1B}[B":
            if offset + columns < lines[line].count {
                offset += columns
            } else if line + 1 < lines.count {
                (line, offset) = (line + 1, column)
            }
        case "\u{1B}[?2026h", "\u{1B}[?2026l": break
        case "\u{1B}[K":
            let end = (offset / columns + 1) * columns
            for index in offset..<max(offset, min(end, lines[line].count)) { lines[line][index] = .blank }
        case "\u{1B}[J":
            lines[line].removeSubrange(min(offset, lines[line].count)...)
            lines.removeSubrange((line + 1)...)
        default:
            if sequence.hasPrefix("\u{1B}]9;4;"), sequence.hasSuffix("\u{1B}\\") {
                progress.append(String(sequence.dropFirst(6).dropLast(2)))
            } else if sequence.hasPrefix("\u{1B}["), sequence.hasSuffix("G") {
                offset += (Int(sequence.dropFirst(2).dropLast()) ?? 1) - 1 - column
                isWrapPending = false
            } else if sequence.hasPrefix("\u{1B}["), sequence.hasSuffix("A") {
                for _ in 0..<(Int(sequence.dropFirst(2).dropLast()) ?? 1) { moveUp() }
            } else if !sequence.hasSuffix("m") {
                unknown.append(sequence)
            }
        }
    }

    private mutating func moveUp() {
        isWrapPending = false
        if offset >= columns {
            offset -= columns
        } else if line > 0 {
            line -= 1
            offset += max(0, lines[line].count - 1) / columns * columns
        }
    }

    private mutating func draw(_ scalar: Unicode.Scalar) {
        let width = ambiguousIsWide && Self.isAmbiguous(scalar) ? 2 : Self.width(of: scalar)
        guard width > 0 else { return }
        if isWrapPending, wraps { offset += 1 }
        isWrapPending = false
        if column + width > columns { offset += wraps ? columns - column : columns - column - width }
        while lines[line].count < offset + width { lines[line].append(.blank) }
        lines[line][offset] = .character(String(scalar))
        if width == 2 { lines[line][offset + 1] = .rightHalf }
        isWrapPending = column + width == columns
        offset += isWrapPending ? width - 1 : width
    }

    private static func width(of scalar: Unicode.Scalar) -> Int { Int(wcwidth?(Int32(bitPattern: scalar.value)) ?? 1) }

    private static func isAmbiguous(_ scalar: Unicode.Scalar) -> Bool {
        let ranges: [ClosedRange<UInt32>] = [
            0x391...0x3C9, 0x401...0x451, 0x2010...0x2027, 0x2190...0x2199, 0x2500...0x2573, 0x2580...0x25A1,
        ]
        return ranges.contains { $0.contains(scalar.value) }
    }

    private static let wcwidth: (@convention(c) (Int32) -> Int32)? = {
        setlocale(LC_CTYPE, "C.UTF-8")
        return unsafeBitCast(dlsym(dlopen(nil, RTLD_NOW), "wcwidth"), to: (@convention(c) (Int32) -> Int32)?.self)
    }()
}
