package import Foundation

/// A file in the Trace Event Format, whose rules the initializer checks.
package struct Trace {
    package struct Row: Sendable {
        package let name: String
        /// The name of each slice, and its time in milliseconds.
        package var slices: [String] = []
        package var instants: [String] = []
        fileprivate var open: [(name: String, begin: Double)] = []
        fileprivate var latest = 0.0
    }

    package struct Malformed: Error {
        let event: Event
        let why: String
    }

    struct Event: Decodable {
        let ph: String
        let name: String
        let pid: Int
        let tid: Int
        let ts: Double?
        let s: String?
        let args: [String: String]?
    }

    private var rows: [Int: Row] = [:]

    package func rows(named name: String) -> [Row] {
        rows.sorted { $0.key < $1.key }.map(\.value).filter { $0.name == name }
    }

    package init(contentsOf url: URL) throws {
        for event in try JSONDecoder().decode([Event].self, from: Data(contentsOf: url)) { try take(event) }
        for (number, row) in rows { rows[number]?.slices += row.open.map { "\($0.name) \($0.begin / 1_000)–" } }
    }

    private mutating func take(_ event: Event) throws {
        func check(_ condition: Bool, _ why: String) throws {
            if !condition { throw Malformed(event: event, why: why) }
        }
        if event.ph == "M" {
            try check(["thread_name", "process_name"].contains(event.name), "unknown metadata")
            try check(event.args?["name"] != nil, "metadata without a name")
            guard event.name == "thread_name" else { return }
            try check(rows[event.tid] == nil, "named twice")
            rows[event.tid] = Row(name: event.args?["name"] ?? "")
            return
        }
        guard var row = rows[event.tid], let time = event.ts else {
            throw Malformed(event: event, why: "without a time, or in a row without a name")
        }
        try check(time >= row.latest, "earlier than the previous event of its row")
        row.latest = time
        switch event.ph {
        case "B": row.open.append((event.name, time))
        case "E":
            try check(!row.open.isEmpty, "an end without a begin")
            let (name, begin) = row.open.removeLast()
            row.slices.append("\(name) \(begin / 1_000)–\(time / 1_000)")
        case "i":
            try check(["g", "p", "t"].contains(event.s), "unknown scope")
            row.instants.append(event.name)
        default: try check(false, "unknown phase")
        }
        rows[event.tid] = row
    }
}
