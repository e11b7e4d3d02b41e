import Foundation
import NetworkIndicatorTerminal
import NetworkIndicatorTransfers

@MainActor
final class Batch {
    let meter = TransferMeter()
    var downloads: [Download] = []
    private var fraction = 0.0

    func count(_ state: Download.State) -> Int { downloads.count { $0.state == state } }

    func row() -> TerminalIndicator.Row {
        let status = meter.status
        if downloads.count == 1 {
            let name = downloads[0].destination.lastPathComponent
            return .init(name, fraction: status.fractionCompleted, details: status.details)
        }
        let (fetched, skipped) = (count(.fetched), count(.skipped))
        var (share, details) = (status.fractionCompleted, status.details)
        if share == nil {
            // The bar shows the share of files, to which each file under way adds its own share of bytes.
            let parts = downloads.compactMap { $0.state == .active ? $0.transfer.status?.fractionCompleted : nil }
            share = parts.reduce(Double(fetched), +) / Double(max(1, downloads.count - skipped))
            // The elapsed time would stand above the times left of the files.
            if status.stalledTime == nil { details[2] = "" }
        }
        // The bar never moves backwards.
        fraction = max(fraction, share ?? 0)
        return .init("\(fetched + skipped)/\(downloads.count) files", fraction: fraction, details: details)
    }

    func rows() -> [TerminalIndicator.Row] {
        meter.slowestTransfers(limit: downloads.count == 1 ? 0 : 4).map {
            .init($0.label ?? "", fraction: $0.fractionCompleted, details: $0.details)
        }
    }

    func summary(_ time: Duration) -> String {
        let fetched = downloads.filter { $0.state == .fetched }
        let size = fetched.reduce(0) { $0 + $1.size }.text
        let others = [Download.State.skipped, .failed, .interrupted, .queued].filter { count($0) > 0 }
        let parts = ["\(fetched.count) file\(fetched.count == 1 ? "" : "s")", size, time.text]
        return (parts + others.map { "\(count($0)) \($0.rawValue)" }).joined(separator: ", ")
    }
}
