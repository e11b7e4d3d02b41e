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
        // While the share of bytes is unknown, the bar shows the share of files. It never moves backwards.
        let share = status.fractionCompleted ?? Double(fetched) / Double(max(1, downloads.count - skipped))
        fraction = max(fraction, share)
        return .init("\(fetched + skipped)/\(downloads.count) files", fraction: fraction, details: status.details)
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
