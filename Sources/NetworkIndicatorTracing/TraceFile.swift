import Foundation

/// One event of the Trace Event format.
///
/// <https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU>
struct TraceEvent: Encodable {
    enum Phase: String, Encodable {
        case begin = "B"
        case end = "E"
        case instant = "i"
        case metadata = "M"
    }

    let ph: Phase
    let name: String
    let pid = ProcessInfo.processInfo.processIdentifier
    let tid: Int
    /// In microseconds.
    var ts: Double?
    /// The scope of an instant: `t` is its thread, shown as a row.
    var s: String?
    var args: [String: String]?
}

/// A trace file that is complete and valid after each write, so that an interrupted program leaves a usable trace.
struct TraceFile {
    private static let closing = Data("\n]\n".utf8)

    private let file: FileHandle
    private let encoder = JSONEncoder()
    /// The offset of the closing bracket.
    private var end: UInt64
    private var isEmpty = true

    init(url: URL) throws {
        // Perfetto shows the backslash of an escaped slash.
        encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
        let opening = Data("[".utf8)
        try (opening + Self.closing).write(to: url)
        file = try FileHandle(forWritingTo: url)
        end = UInt64(opening.count)
    }

    mutating func append(_ events: [TraceEvent]) throws {
        var data = Data()
        for event in events {
            data += Data((isEmpty ? "\n" : ",\n").utf8)
            data += try encoder.encode(event)
            isEmpty = false
        }
        // One write replaces the closing bracket, so that the file is valid at every moment.
        try file.seek(toOffset: end)
        try file.write(contentsOf: data + Self.closing)
        end += UInt64(data.count)
    }

    func close() throws { try file.close() }
}
