import Dispatch
import Foundation

/// An event in the Trace Event format:
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
    /// The thread identifier. Trace viewers show each thread as a row.
    let tid: Int
    /// The time since the start of the timeline, in microseconds.
    var ts: Double?
    /// The scope of an instant event, such as `t` for the event's thread.
    var s: String?
    var args: [String: String]?
}

// `@unchecked Sendable`: after initialization, the variables are accessed only on the queue.
final class TraceFile: @unchecked Sendable {
    private static let closing = Data("\n]\n".utf8)

    private let url: URL
    private let queue = DispatchQueue(label: "NetworkIndicator.TraceFile")
    private let encoder = JSONEncoder()
    private var file: FileHandle?
    private var error: TimelineError?
    private var end: UInt64
    private var isEmpty = true

    init(url: URL) throws(TimelineError) {
        self.url = url
        encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
        let opening = Data("[".utf8)
        end = UInt64(opening.count)
        do {
            try (opening + Self.closing).write(to: url)
            file = try FileHandle(forWritingTo: url)
        } catch {
            throw TimelineError(url, error)
        }
    }

    func append(_ events: [TraceEvent]) { queue.async { self.perform { try self.write(events) } } }

    func flush() { queue.sync {} }

    func close() throws(TimelineError) {
        let error = queue.sync {
            perform { try file?.close() }
            file = nil
            return self.error
        }
        if let error { throw error }
    }

    private func perform(_ body: () throws -> Void) {
        do { if error == nil { try body() } } catch { self.error = TimelineError(url, error) }
    }

    private func write(_ events: [TraceEvent]) throws {
        guard let file else { return }
        var data = Data()
        for event in events {
            data += Data((isEmpty ? "\n" : ",\n").utf8)
            data += try encoder.encode(event)
            isEmpty = false
        }
        // A single write replaces the closing bracket with the events and a new bracket, so the file is valid after
        // each call.
        try file.seek(toOffset: end)
        do {
            try file.write(contentsOf: data + Self.closing)
        } catch {
            // If the disk is full, removing the partly written data makes room for the closing bracket.
            try? file.truncate(atOffset: end)
            try? file.write(contentsOf: Self.closing)
            throw error
        }
        end += UInt64(data.count)
    }
}
