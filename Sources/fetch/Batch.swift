import Foundation
import NetworkIndicatorTerminal
import NetworkIndicatorTransfers

@MainActor
final class Batch {
    enum Outcome: String {
        case fetched, skipped, failed, interrupted
        case queued = "not begun"
    }

    let meter = TransferMeter()
    private(set) var count = 0
    private var outcomes: [Outcome: Int] = [:]
    private var queue: [Download] = []
    /// A row keeps its place until its file ends. The next file takes this place.
    private var places: [Int: Download] = [:]
    private var fraction = 0.0

    /// The meter expects all files from the beginning.
    func add(_ urls: [URL], to paths: [String], in directory: String) {
        count = urls.count
        queue = zip(urls, paths).reversed().map { [meter] in
            Download(url: $0, path: $1, directory: directory, transfer: meter.beginTransfer())
        }
    }

    @discardableResult func begin(at place: Int) -> Download? {
        places[place] = queue.popLast()
        return places[place]
    }

    /// A file that isn't fetched leaves the total, as if it were empty.
    func end(at place: Int, _ outcome: Outcome) {
        guard let transfer = places.removeValue(forKey: place)?.transfer else { return }
        if [.failed, .interrupted].contains(outcome) {
            transfer.update(TransferProgress(completedBytes: 0, totalBytes: 0))
            fraction = 0
        }
        transfer.finish()
        outcomes[outcome, default: 0] += 1
    }

    func endQueue() { (outcomes[.queued], queue) = (queue.count, []) }

    subscript(outcome: Outcome) -> Int { outcomes[outcome, default: 0] }

    func row() -> TerminalIndicator.Row {
        let status = meter.status
        if count == 1 { return places[0].map { .init($0.name, status) } ?? "" }
        if queue.isEmpty, places.isEmpty, self[.fetched] == 0 { return "" }
        let failures = self[.failed] > 0 ? ", \(self[.failed]) failed" : ""
        var row = TerminalIndicator.Row("\(self[.fetched] + self[.skipped])/\(count) files\(failures)", status)
        if row.fraction == nil {
            // The bar shows the share of files, to which each file under way adds its own share of bytes.
            let done = places.values.compactMap(\.transfer.status?.fractionCompleted).reduce(Double(self[.fetched]), +)
            row.fraction = done / Double(max(1, count - self[.skipped] - self[.failed]))
            // The elapsed time would stand above the times left of the files.
            if status.stalledTime == nil, meter.waitingText == nil { row.time = "" }
        }
        // The bar moves backwards only if a file leaves the total.
        fraction = max(fraction, row.fraction ?? 0)
        row.fraction = fraction
        return row
    }

    /// While all files wait, only the texts change. After an interruption, there is no row.
    func idleRow() -> TerminalIndicator.Row? { meter.waitingText == nil || self[.interrupted] > 0 ? nil : row() }

    func rows() -> [TerminalIndicator.Row] {
        let downloads = count == 1 ? [] : places.sorted { $0.key < $1.key }.map(\.value)
        return downloads.compactMap { row in row.transfer.status.map { .init(row.name, $0) } }
    }

    func summary() -> String {
        let (files, status) = (self[.fetched], meter.status)
        let parts = [
            "\(files) file\(files == 1 ? "" : "s")", "\(TransferProgress(completedBytes: status.completedBytes))",
            status.timeDescription,
        ]
        let others = [Outcome.skipped, .failed, .interrupted, .queued].filter { self[$0] > 0 }
        return (parts.compactMap(\.self) + others.map { "\(self[$0]) \($0.rawValue)" }).joined(separator: ", ")
    }
}
