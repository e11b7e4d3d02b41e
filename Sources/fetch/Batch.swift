import Foundation
import NetworkIndicatorTerminal
import NetworkIndicatorTransfers

@MainActor
final class Batch {
    let meter = TransferMeter()
    var downloads: [Download] = []
    private var fraction = 0.0

    func count(_ state: Download.State) -> Int { downloads.count { $0.state == state } }

    var label: String {
        if downloads.count == 1 { return downloads[0].destination.lastPathComponent }
        return "\(count(.fetched) + count(.skipped))/\(downloads.count) files"
    }

    /// The share of bytes or, while that is unknown, of files. The bar of several files never moves backwards.
    func updateFraction() -> Double? {
        let share = meter.status.fractionCompleted
        if downloads.count == 1 { return share }
        fraction = max(fraction, share ?? Double(count(.fetched)) / Double(max(1, downloads.count - count(.skipped))))
        return fraction
    }

    var details: [String] { meter.status.details }

    func rows(_ maximum: Int) -> [TerminalIndicator.Row] {
        meter.slowestTransfers(limit: maximum).map {
            .init($0.label ?? "", fraction: $0.fractionCompleted, details: $0.details)
        }
    }

    var idleText: String? { meter.waitingText.map { "⏸ \($0)" } }

    func summary(_ time: Duration) -> String {
        let fetched = downloads.filter { $0.state == .fetched }
        let others = [Download.State.skipped, .failed, .interrupted, .queued].filter { count($0) > 0 }
        let size = fetched.reduce(0) { $0 + $1.size }.bytesText
        let parts = ["\(fetched.count) file\(fetched.count == 1 ? "" : "s")", size, time.text]
        return (parts + others.map { "\(count($0)) \($0.rawValue)" }).joined(separator: ", ")
    }
}
