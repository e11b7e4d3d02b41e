import Foundation
import NetworkIndicatorTerminal
import NetworkIndicatorURLSession

/// The texts of the indicator about the transfers.
@MainActor
struct ProgressView {
    let transfers: [Transfer]
    /// The transfers that wait between two attempts.
    let waiting: [Transfer]
    /// The number of files that are complete.
    let completeCount: Int
    /// The number of transfers that have begun and not ended.
    let currentCount: Int
    let meter: TransferMeter

    /// The name of the only file, or `8/24 files`.
    var label: String {
        guard transfers.count == 1 else { return "\(completeCount)/\(transfers.count) files" }
        // The numbers need the rest of a window of 80 columns.
        return TerminalText(
            transfers[0].destination.lastPathComponent.printable, cells: 24, cut: .middle, isUTF8: true
        ).text
    }

    /// The progress, or `nil` if no server has announced a length, even if all files are complete.
    var fraction: Double? { transfers.contains(where: \.hasTotal) ? meter.fractionCompleted : nil }

    /// Bytes, rate, time and waits. A narrow window drops the waits first, then the rate.
    var details: [TerminalIndicator.Detail] {
        let status = meter.status
        let texts = [
            (status.bytesDescription, 3), (status.rateDescription, 1),
            (fraction == 1 ? nil : status.timeDescription, 2),
            (waiting.isEmpty ? nil : "\(waiting.count) waiting", 0),
            // Another number of columns lets them become narrower, in favour of the bar.
            (fraction == nil ? "" : nil, 0),
        ]
        return texts.compactMap { text, priority in text.map { .init($0, priority: priority) } }
    }

    /// A row for each of the slowest transfers.
    func rows(_ maximum: Int) -> [String] {
        meter.slowestTransfers(maximum).map { status in
            let percent = status.fractionCompleted.map { "\(Int($0 * 100 + 1e-9)) %" } ?? ""
            return [
                Format.right(percent, 7), Format.right(status.bytesDescription, 18),
                Format.right(status.rateDescription ?? "", 10), Format.right(status.timeDescription ?? "", 10),
                status.label?.printable ?? "",
            ].joined(separator: " ")
        }
    }

    /// The row while every transfer waits, such as `⏸ 2 waiting, next in 3 s`; `nil` while one is active.
    var idleText: String? {
        guard !waiting.isEmpty, waiting.count == currentCount else { return nil }
        guard let next = waiting.compactMap(\.waitEnd).min() else {
            return "⏸ \(waiting.count) waiting for the network"
        }
        return "⏸ \(waiting.count) waiting, next in \(ContinuousClock.now.duration(to: next).text())"
    }
}
