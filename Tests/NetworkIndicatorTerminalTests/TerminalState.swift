import TestSupport
import Testing

#if canImport(Glibc)
struct TerminalState: Sendable {
    static let marker = "\u{1B}]marker\u{1B}\\"

    var screen = TerminalEmulator(columns: 40)
    private(set) var events: [String] = []
    var isOver = false
    private var bytes: [UInt8] = []
    private var unfinished: [String: [UInt8]] = [:]

    var text: String { String(decoding: bytes, as: UTF8.self).replacing(Self.marker, with: "") }

    var markerCount: Int { screen.unknown.count { $0 == Self.marker } }

    var job: Int32? { events.first { $0.hasPrefix("started ") }.flatMap { Int32($0.dropFirst(8)) } }

    func shows(_ label: String) -> Bool {
        let row = screen.currentRow
        return row.hasPrefix(" ") && row.hasSuffix(" \(label)") && row.dropLast(label.count + 1).count == 2
    }

    func expectUsable(end: String, row isVisible: Bool, at location: SourceLocation = #_sourceLocation) {
        #expect(events.last == end, sourceLocation: location)
        #expect(screen.rows.map { $0.suffix(9) } == (isVisible ? [" Fetching"] : []), sourceLocation: location)
        #expect(screen.wraps && !text.contains("\u{1B}[?25"), sourceLocation: location)
    }

    mutating func receiveOutput(_ bytes: ArraySlice<UInt8>) {
        self.bytes += bytes
        screen.feed(bytes)
    }

    mutating func receiveLines(_ bytes: ArraySlice<UInt8>, from sender: String) {
        var lines = (unfinished[sender, default: []] + bytes)
            .split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        unfinished[sender] = Array(lines.removeLast())
        events += lines.map { String(decoding: $0, as: UTF8.self) }
    }
}
#endif
