import Foundation
import NetworkIndicator

struct TimelineRows {
    private struct Row {
        let name: String
        var isBusy = false
        // In the Trace Event format, the timestamps of a thread's duration events must be in increasing order.
        var latest: Double = 0
    }

    static let indicator = 1

    private var rows: [Row] = []
    private var free: [String: [Int]] = [:]
    private var rowOfTask: [UInt64: Int] = [:]
    private(set) var isFinished = false

    mutating func addIndicator() -> [TraceEvent] {
        let program = ["name": ProcessInfo.processInfo.processName]
        return [TraceEvent(ph: .metadata, name: "process_name", tid: Self.indicator, args: program), add("indicator")]
    }

    // MARK: Tasks

    mutating func begin(_ task: NetworkTaskInfo, at time: Double) -> [TraceEvent] {
        let name = task.label ?? task.tokenType
        let (row, additions) = takeRow(name)
        rowOfTask[task.id] = row
        let details = ["token": task.tokenType, "begun at": "\(task.fileID):\(task.line)", "id": "\(task.id)"]
        return additions + [begin(name, inRow: row, at: time, details)]
    }

    mutating func end(_ task: NetworkTaskInfo, _ end: NetworkTaskEnd, at time: Double) -> [TraceEvent] {
        guard let row = rowOfTask.removeValue(forKey: task.id) else { return [] }
        return self.end(row: row, at: time, ["end": "\(end)"])
    }

    func contains(_ task: NetworkTaskInfo) -> Bool { rowOfTask[task.id] != nil }

    mutating func mark(_ name: String, on task: NetworkTaskInfo, at time: Double) -> [TraceEvent] {
        rowOfTask[task.id].map { [mark(name, inRow: $0, at: time)] } ?? []
    }

    // MARK: Rows

    private mutating func takeRow(_ name: String) -> (row: Int, events: [TraceEvent]) {
        let free = free[name]?.popLast()
        let events = free == nil ? [add(name)] : []
        return (free ?? rows.count, events)
    }

    mutating func begin(
        _ name: String, inRow row: Int, at time: Double, _ details: [String: String]? = nil
    ) -> TraceEvent {
        rows[row - 1].isBusy = true
        return TraceEvent(ph: .begin, name: name, tid: row, ts: advance(row, to: time), args: details)
    }

    mutating func end(row: Int, at time: Double, _ details: [String: String]? = nil) -> [TraceEvent] {
        guard rows[row - 1].isBusy else { return [] }
        rows[row - 1].isBusy = false
        if row != Self.indicator { free[rows[row - 1].name, default: []].append(row) }
        return [TraceEvent(ph: .end, name: "", tid: row, ts: advance(row, to: time), args: details)]
    }

    mutating func mark(_ name: String, inRow row: Int, at time: Double) -> TraceEvent {
        TraceEvent(ph: .instant, name: name, tid: row, ts: advance(row, to: time), s: "t")
    }

    mutating func finish(at time: Double) -> [TraceEvent] {
        isFinished = true
        return rows.indices.flatMap { end(row: $0 + 1, at: time) }
    }

    private mutating func add(_ name: String) -> TraceEvent {
        rows.append(Row(name: name))
        return TraceEvent(ph: .metadata, name: "thread_name", tid: rows.count, args: ["name": name])
    }

    private mutating func advance(_ row: Int, to time: Double) -> Double {
        rows[row - 1].latest = max(time, rows[row - 1].latest)
        return rows[row - 1].latest
    }
}
