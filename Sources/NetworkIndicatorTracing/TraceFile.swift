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
    /// The offset of the closing bracket, or `nil` for a pipe or a terminal, which gets the bracket at the end.
    private var end: UInt64?
    private var isEmpty = true

    init(url: URL) throws(TimelineError) {
        self.url = url
        encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
        // Without `O_NONBLOCK`, a pipe without a reader would block the caller.
        let descriptor = open(url.path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NONBLOCK, 0o666)
        guard descriptor >= 0 else {
            let reason = errno == ENXIO ? "no program reads from this pipe" : String(cString: strerror(errno))
            throw TimelineError(url: url, reason: reason)
        }
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        self.file = file
        end = lseek(descriptor, 0, SEEK_CUR) < 0 ? nil : 1
        do {
            try file.write(contentsOf: Data("[".utf8) + (end == nil ? Data() : Self.closing))
        } catch {
            throw TimelineError(url: url, reason: error.localizedDescription)
        }
    }

    func append(_ events: [TraceEvent]) { queue.async { self.perform { try self.write(events) } } }

    func flush() { queue.sync {} }

    func close() throws(TimelineError) {
        let error = queue.sync {
            perform {
                if end == nil { try file?.write(contentsOf: Self.closing) }
                try file?.close()
            }
            file = nil
            return self.error
        }
        if let error { throw error }
    }

    private func perform(_ body: () throws -> Void) {
        do {
            if error == nil { try body() }
        } catch {
            self.error = TimelineError(url: url, reason: error.localizedDescription)
        }
    }

    private func write(_ events: [TraceEvent]) throws {
        guard let file else { return }
        var data = Data()
        for event in events {
            data += Data((isEmpty ? "\n" : ",\n").utf8)
            data += try encoder.encode(event)
            isEmpty = false
        }
        guard let end else { return try file.write(contentsOf: data) }
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
        self.end = end + UInt64(data.count)
    }
}
