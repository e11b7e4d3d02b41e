import Foundation
import NetworkIndicatorTerminal
import NetworkIndicatorTransfers

/// The texts of the indicator about the transfers.
@MainActor
struct ProgressView {
    let transfers: [Transfer]
    /// The transfers that wait between two attempts.
    let waiting: [Transfer]
    let tally: Tally
    /// The number of transfers at once.
    let jobs: Int
    let meter: TransferMeter

    /// The name of the only file, or `8/24 files`.
    var label: String {
        transfers.count == 1
            ? transfers[0].destination.lastPathComponent.printable : "\(tally.complete)/\(transfers.count) files"
    }

    /// The progress, or `nil` if no server has announced a length, even if all files are complete.
    var fraction: Double? { transfers.contains { $0.progress?.totalBytes != nil } ? meter.fractionCompleted : nil }

    /// Bytes, rate, time and waits. A narrow window drops the waits first, then the rate.
    var details: [TerminalIndicator.Detail] {
        let status = meter.status
        let texts = [
            (status.bytesDescription, 3), (status.rateDescription, 1),
            (fraction == 1 ? nil : status.timeDescription, 2),
            (waiting.isEmpty ? nil : "\(waiting.count) waiting", 0),
            // This empty detail exists until the bar appears. When the number of details changes, the row forgets the
            // cells that it has reserved, so that the bar has more room.
            (fraction == nil ? "" : nil, 0),
        ]
        return texts.compactMap { text, priority in text.map { .init($0, priority: priority) } }
    }

    /// A row for each of the slowest transfers.
    func rows(_ maximum: Int) -> [TerminalIndicator.Row] {
        meter.slowestTransfers(maximum).map { status in
            TerminalIndicator.Row(
                status.label?.printable ?? "", fraction: status.fractionCompleted,
                details: [
                    .init(status.bytesDescription, priority: 2), .init(status.rateDescription ?? "", priority: 0),
                    .init(status.timeDescription ?? "", priority: 1),
                ])
        }
    }

    /// The row while every transfer waits, such as `⏸ 2 waiting, next in 3 s`; `nil` while one is active.
    var idleText: String? {
        guard !waiting.isEmpty, waiting.count == min(jobs, transfers.count - tally.ended) else { return nil }
        guard let next = waiting.compactMap(\.waitEnd).min() else {
            return "⏸ \(waiting.count) waiting for the network"
        }
        return "⏸ \(waiting.count) waiting, next in \(ContinuousClock.now.duration(to: next).text())"
    }
}
