import Foundation
import NetworkIndicatorTerminal
import NetworkIndicatorTransfers

@MainActor
final class Batch {
    let meter = TransferMeter()
    var downloads: [Download] = []

    func count(_ state: Download.State) -> Int { downloads.count { $0.state == state } }

    private var completeCount: Int { count(.fetched) + count(.skipped) }

    var label: String {
        downloads.count == 1 ? downloads[0].destination.lastPathComponent : "\(completeCount)/\(downloads.count) files"
    }

    var fraction: Double? {
        meter.fractionCompleted ?? (downloads.count > 1 ? Double(completeCount) / Double(downloads.count) : nil)
    }

    var details: [String] {
        meter.status.details + (count(.waiting) == 0 ? [] : ["\(count(.waiting)) waiting"])
    }

    func rows(_ maximum: Int) -> [TerminalIndicator.Row] {
        meter.slowestTransfers(limit: maximum).map {
            .init($0.label ?? "", fraction: $0.fractionCompleted, details: $0.details)
        }
    }

    var idleText: String? {
        let waiting = downloads.filter { $0.state == .waiting }
        guard !waiting.isEmpty, count(.active) == 0 else { return nil }
        guard let next = waiting.compactMap(\.waitEnd).min() else {
            return "⏸ \(waiting.count) waiting for the network"
        }
        let seconds = max(.zero, ContinuousClock.now.duration(to: next)) / .seconds(1)
        return "⏸ \(waiting.count) waiting, next in \(Int(seconds.rounded(.up))) s"
    }

    func summary(_ time: Duration) -> String {
        let fetched = downloads.filter { $0.state == .fetched }
        let others = [Download.State.skipped, .failed, .interrupted, .queued].filter { count($0) > 0 }
        let size = fetched.reduce(0) { $0 + $1.size }.bytesText
        let parts = ["\(fetched.count) file\(fetched.count == 1 ? "" : "s")", size, time.text]
        return (parts + others.map { "\(count($0)) \($0.rawValue)" }).joined(separator: ", ")
    }
}
