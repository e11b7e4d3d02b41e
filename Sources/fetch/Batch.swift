import Foundation
import NetworkIndicatorTerminal
import NetworkIndicatorTransfers

/// The downloads of a run, and the text that describes them.
@MainActor
final class Batch {
    let meter = TransferMeter()
    var downloads: [Download] = []

    /// Returns the number of downloads in a state.
    func count(_ state: Download.State) -> Int { downloads.count { $0.state == state } }

    private var completeCount: Int { count(.fetched) + count(.skipped) }

    /// The name of the file if there is only one. Otherwise text such as `8/24 files`.
    var label: String {
        downloads.count == 1 ? downloads[0].destination.lastPathComponent : "\(completeCount)/\(downloads.count) files"
    }

    /// The progress from 0 to 1, measured in bytes. Until the meter knows the sizes of most files, the progress is
    /// measured in files.
    var fraction: Double? {
        let ofFiles = downloads.count > 1 ? Double(completeCount) / Double(downloads.count) : nil
        return meter.fractionCompleted ?? ofFiles
    }

    var details: [TerminalIndicator.Detail] {
        Self.details(meter.status) + [.init(count(.waiting) == 0 ? "" : "\(count(.waiting)) waiting")]
    }

    /// Returns a row for each of the slowest transfers.
    func rows(_ maximum: Int) -> [TerminalIndicator.Row] {
        meter.slowestTransfers(maximum).map {
            .init($0.label ?? "", fraction: $0.fractionCompleted, details: Self.details($0))
        }
    }

    /// Returns the columns of a row. In a narrow window, the rate is dropped first, then the time.
    private static func details(_ status: TransferStatus) -> [TerminalIndicator.Detail] {
        [
            .init(status.bytesDescription, priority: 3), .init(status.rateDescription ?? "", priority: 1),
            .init(status.timeDescription ?? "", priority: 2),
        ]
    }

    /// Text such as `⏸ 2 waiting, next in 3 s`, or `nil` while a download is active. The indicator is off during these
    /// waits.
    var idleText: String? {
        let waiting = downloads.filter { $0.state == .waiting }
        guard !waiting.isEmpty, count(.active) == 0 else { return nil }
        guard let next = waiting.compactMap(\.waitEnd).min() else {
            return "⏸ \(waiting.count) waiting for the network"
        }
        let seconds = max(.zero, ContinuousClock.now.duration(to: next)) / .seconds(1)
        return "⏸ \(waiting.count) waiting, next in \(Int(seconds.rounded(.up))) s"
    }

    /// Returns a summary such as `3 files, 1.5 MB, 0.5s, 1 failed`.
    func summary(_ time: Duration) -> String {
        let fetched = downloads.filter { $0.state == .fetched }
        let size = fetched.reduce(0) { $0 + $1.size }
        let others = [Download.State.skipped, .failed, .interrupted, .queued].filter { count($0) > 0 }
        let parts = ["\(fetched.count) file\(fetched.count == 1 ? "" : "s")", size.bytesText, time.text]
        return (parts + others.map { "\(count($0)) \($0.rawValue)" }).joined(separator: ", ")
    }
}
