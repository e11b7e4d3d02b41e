import Foundation
import Testing

@testable import NetworkIndicatorProgress

@Suite("TransferStatus")
struct TransferStatusTests {
    private func status(
        _ completed: Int64, of total: Int64?, _ rate: Double? = nil, left: Duration? = nil
    ) -> TransferStatus {
        TransferStatus(
            completedBytes: completed, totalBytes: total, bytesPerSecond: rate, estimatedTimeRemaining: left,
            elapsedTime: .seconds(2))
    }

    @Test(
        "Texts",
        arguments: [
            (999, nil, "999 B"), (999_499, nil, "999 kB"), (999_500, nil, "1.0 MB"),
            (1_000, 999_000, "1 of 999 kB"),
            (512, 1_500_000, "0.0 of 1.5 MB"), (.max, nil, "9.22 EB"), (0, 0, "0 of 0 B"),
            (1_026_000_000, 1_500_000_000, "1.03 of 1.50 GB"), (99_949_999, 999_499_000, "99.9 of 999 MB"),
            (999_500_000, nil, "1.00 GB"), (10_000_000_000, 62_600_000_000, "10.0 of 62.6 GB"),
            (250_000_000, 999_960_000, "0.25 of 1.00 GB"),
        ] as [(Int64, Int64?, String)])
    func byteTexts(completed: Int64, total: Int64?, text: String) {
        #expect(status(completed, of: total).bytesDescription == text)
    }

    @Test(
        "Rates",
        arguments: [
            (1.0, "1 B/s"), (9.6, "10 B/s"), (0.001, "0 B/s"), (999.9, "1.0 kB/s"), (9_960, "10 kB/s"),
            (999_600, "1.0 MB/s"), (1_234_000_000, "1.2 GB/s"), (1e30, "1000000000000 EB/s"),
        ])
    func rateTexts(rate: Double, text: String) {
        #expect(status(0, of: 1000, rate).description == "0 of 1 kB, \(text)")
    }

    @Test("Texts of times") func times() {
        #expect(status(0, of: nil).timeDescription == nil)
        #expect(status(5, of: nil, 3).description == "5 B, 3 B/s, for 2 s")
        #expect(status(5, of: 9, 2, left: .milliseconds(1_600)).description == "5 of 9 B, 2 B/s, 2 s left")
        #expect(status(5, of: 9, left: .milliseconds(1)).timeDescription == "1 s left")
        #expect(status(5, of: 9, left: .zero).timeDescription == "incomplete")
        #expect(status(9, of: 9, left: .zero).timeDescription == "in 2.0 s")
    }

    /// The columns of a terminal's rows keep their widths, because 16 and 10 cells are reserved for bytes and times.
    @Test func textsHaveLimitedWidths() {
        for exponent in stride(from: 0, through: 18, by: 0.01) {
            let number = Int64(pow(10, exponent))
            let status = status(number / 3, of: number, left: .milliseconds(number % 360_000_000))
            #expect(status.bytesDescription.count <= 15, "\(status)")
            #expect(status.timeDescription?.count ?? 0 <= 10, "\(status)")
        }
    }

    @Test(arguments: [
        (Duration.milliseconds(1), "1 s"), (.milliseconds(59_001), "60 s"), (.milliseconds(119_001), "120 s"),
        (.seconds(-1), "0 s"),
        (.seconds(121), "3 m"), (.seconds(7_199), "120 m"), (.seconds(7_201), "3 h"), (.seconds(Int64.max), "876000 h"),
    ])
    func durations(duration: Duration, text: String) {
        #expect(duration.text() == text)
        #expect(Duration.milliseconds(179_995).text(rounded: .down) == "2 m")
    }
}
