package import Foundation

package struct Trace {
    package struct Slice: Equatable, Sendable {
        package let name: String
        /// In microseconds.
        package let begin: Double
        package let end: Double?

        package init(name: String, begin: Double, end: Double?) {
            (self.name, self.begin, self.end) = (name, begin, end)
        }
    }

    package struct Row: Sendable {
        package let name: String
        package var slices: [Slice] = []
        package var instants: [String] = []
        fileprivate var open: [(name: String, begin: Double)] = []
        fileprivate var latest = 0.0
    }

    package struct Malformed: Error {
        package let event: String
        package let why: String
    }

    package private(set) var rows: [Int: Row] = [:]

    package func rows(named name: String) -> [Row] {
        rows.sorted { $0.key < $1.key }.map(\.value).filter { $0.name == name }
    }

    package init(contentsOf url: URL) throws {
        guard let events = try JSONSerialization.jsonObject(with: Data(contentsOf: url)) as? [[String: Any]] else {
            throw Malformed(event: "", why: "a trace is an array of objects")
        }
        for event in events { try take(event) }
        for (number, row) in rows {
            for slice in row.open { rows[number]!.slices.append(Slice(name: slice.name, begin: slice.begin, end: nil)) }
        }
    }

    private mutating func take(_ event: [String: Any]) throws {
        func check(_ condition: Bool, _ why: String) throws {
            if !condition { throw Malformed(event: "\(event)", why: why) }
        }
        func field<T>(_ key: String, as type: T.Type = T.self) throws -> T {
            guard let value = event[key] as? T else {
                throw Malformed(event: "\(event)", why: "needs \(key), a \(T.self)")
            }
            return value
        }
        let phase: String = try field("ph")
        let name: String = try field("name")
        _ = try field("pid", as: Int.self)
        let number: Int = try field("tid")
        try check(event["args"] == nil || event["args"] is [String: Any], "args are an object")

        if phase == "M" {
            try check(name == "thread_name" || name == "process_name", "unknown metadata")
            let args: [String: Any] = try field("args")
            guard let title = args["name"] as? String else {
                throw Malformed(event: "\(event)", why: "metadata without a name")
            }
            guard name == "thread_name" else { return }
            try check(rows[number] == nil, "named twice")
            rows[number] = Row(name: title)
            return
        }
        let time: Double = try field("ts")
        guard var row = rows[number] else { throw Malformed(event: "\(event)", why: "in a row without a name") }
        try check(time >= row.latest, "earlier than the previous event of its row")
        row.latest = time
        switch phase {
        case "B": row.open.append((name, time))
        case "E":
            try check(!row.open.isEmpty, "an end without a begin")
            let (name, begin) = row.open.removeLast()
            row.slices.append(Slice(name: name, begin: begin, end: time))
        case "i":
            try check(["g", "p", "t"].contains(try field("s", as: String.self)), "unknown scope")
            row.instants.append(name)
        default: try check(false, "unknown phase")
        }
        rows[number] = row
    }
}
