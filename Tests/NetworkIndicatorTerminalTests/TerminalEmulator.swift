#if canImport(Glibc)
import Glibc

/// As much of a terminal as it takes to see what a program has left on the screen.
///
/// It keeps whole lines and wraps them to the window's width, anew when that changes, as VTE, kitty, iTerm2 and tmux do.
/// The width of a character is the C library's: another opinion than the tested code's.
struct TerminalEmulator: Sendable {
    private(set) var columns: Int
    /// The progress bar: every OSC 9;4 so far, without its introduction.
    private(set) var progress: [String] = []
    /// Everything else between ESC and its end that is none of the sequences known here.
    private(set) var unknown: [String] = []
    private var lines: [[Cell]] = [[]]
    private var line = 0
    private var offset = 0
    private var pending: [UInt8] = []

    private enum Cell: Equatable {
        case character(String)
        case rightHalf
        case blank
    }

    init(columns: Int) { self.columns = columns }

    mutating func resize(columns: Int) { self.columns = columns }

    /// What is to be read, a string for each row of the window; empty rows at the end do not count.
    var rows: [String] {
        var rows = lines.flatMap { wrapped($0) }
        while rows.last == "" { rows.removeLast() }
        return rows
    }

    /// The first row of the line where the cursor is.
    var currentRow: String { wrapped(lines[line])[0] }

    private func wrapped(_ line: [Cell]) -> [String] {
        stride(from: 0, to: max(1, line.count), by: columns).map { start in
            text(of: line[start..<min(start + columns, line.count)])
        }
    }

    /// The column where the next character goes.
    var column: Int { offset % columns }

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

    mutating func feed(_ bytes: some Sequence<UInt8>) {
        for byte in bytes {
            pending.append(byte)
            if isComplete { perform() }
        }
    }

    /// Whether what has come is a whole character or escape sequence.
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
        if sequence.hasPrefix("\u{1B}]9;4;"), sequence.hasSuffix("\u{1B}\\") {
            progress.append(String(sequence.dropFirst(6).dropLast(2)))
        } else if sequence == "\u{1B}[K" {
            let end = (offset / columns + 1) * columns
            for index in offset..<max(offset, min(end, lines[line].count)) { lines[line][index] = .blank }
        } else if sequence == "\u{1B}[J" {
            lines[line].removeSubrange(min(offset, lines[line].count)...)
            lines.removeSubrange((line + 1)...)
        } else if sequence.hasPrefix("\u{1B}") {
            if !sequence.hasSuffix("m") { unknown.append(sequence) }
        } else if sequence == "\r" {
            // The cursor of a full row waits behind its last column.
            let isWaiting = offset > 0 && offset % columns == 0 && offset == lines[line].count
            offset -= isWaiting ? columns : offset % columns
        } else if sequence == "\n" {
            line += 1
            if line == lines.count { lines.append([]) }
            offset = 0
        } else if let scalar = sequence.unicodeScalars.first {
            draw(scalar)
        }
    }

    private mutating func draw(_ scalar: Unicode.Scalar) {
        let width = Self.width(of: scalar)
        guard width > 0 else { return }
        let isSplit = width == 2 && offset % columns == columns - 1
        if isSplit { offset += 1 }
        while lines[line].count < offset + width { lines[line].append(.blank) }
        lines[line][offset] = .character(String(scalar))
        if width == 2 { lines[line][offset + 1] = .rightHalf }
        offset += width
    }

    /// The C library's `wcwidth`, which the module map hides.
    private static func width(of scalar: Unicode.Scalar) -> Int { Int(wcwidth?(Int32(bitPattern: scalar.value)) ?? 1) }

    private static let wcwidth: (@convention(c) (Int32) -> Int32)? = {
        setlocale(LC_CTYPE, "C.UTF-8")
        return unsafeBitCast(dlsym(nil, "wcwidth"), to: (@convention(c) (Int32) -> Int32)?.self)
    }()
}
#endif
