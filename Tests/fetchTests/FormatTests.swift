import Foundation
import NetworkIndicatorTerminal
import NetworkIndicatorTransfers
import Testing

@testable import fetch

@Suite struct FormatTests {
    @Test(arguments: [
        (Duration.zero, "0.00 s"), (.milliseconds(4), "0.00 s"), (.milliseconds(5), "0.01 s"),
        (.milliseconds(520), "0.52 s"),
        (.milliseconds(59_994), "59.99 s"), (.milliseconds(59_995), "1 m 00 s"), (.seconds(62), "1 m 02 s"),
        (.seconds(3599), "59 m 59 s"), (.milliseconds(3_599_500), "1 h 00 m"), (.seconds(86_400), "24 h 00 m"),
        (.seconds(-1), "0.00 s"),
    ])
    func times(duration: Duration, text: String) {
        #expect(Format.time(duration) == text)
    }

    @Test(
        arguments: [
            (2_900_000, .seconds(1), "2.9 MB/s"), (500, .milliseconds(500), "1.0 kB/s"), (0, .seconds(1), nil),
            (5, .zero, nil), (1_000_000, .seconds(3600), "278 B/s"), (15_000_000, .seconds(1), "15 MB/s"),
        ] as [(Int64, Duration, String?)])
    func rates(bytes: Int64, time: Duration, text: String?) {
        #expect(Format.rate(bytes, time) == text)
    }

    private func line(_ size: Int64, _ time: Duration, rate: String?, _ path: String) -> String {
        let style = TerminalStyle(color: .never)
        return Format.columns(status: "200", size: size, time: Format.time(time), rate: rate, style) + path
    }

    @Test func linesAreInColumns() {
        #expect(line(5, .milliseconds(10), rate: nil, "a") == "200       5 B     0.01 s  a")
        #expect(line(123_400_000, .seconds(3599), rate: nil, "d/b c") == "200  123.4 MB  59 m 59 s  d/b c")
        #expect(line(5, .milliseconds(10), rate: "500 B/s", "a") == "200       5 B     0.01 s     500 B/s  a")
        #expect(line(5, .zero, rate: "", "a") == "200       5 B     0.00 s              a")
    }

    @Test func coloursAreAddedAroundTheSameText() {
        let style = TerminalStyle(color: .always)
        let colored = Format.columns(status: "200", size: 5, time: "0.00 s", rate: nil, style)
        let plain = colored.replacing(#/\u{1B}\[[0-9;]*m/#, with: "")
        #expect(colored != plain)
        #expect(["✓ ", "+ "].contains(plain.prefix(2)) && plain.dropFirst(2) == "200       5 B     0.00 s  ")
    }

    @Test func summaries() {
        var tally = Tally()
        #expect(tally.summary(of: 2, time: .seconds(2)) == "0 files, 0 B, 2.00 s, 2 not begun")
        tally = Tally(fetched: 1, failed: 1, size: 3_000, received: 1_000)
        #expect(tally.summary(of: 2, time: .seconds(2)) == "1 file, 3.0 kB, 2.00 s, 500 B/s, 1 failed")
        tally = Tally(fetched: 2, skipped: 3, interrupted: 1, size: 3_000_000, received: 3_000_000)
        #expect(
            tally.summary(of: 9, time: .seconds(2))
                == "2 files, 3.0 MB, 2.00 s, 3 skipped, 1 interrupted, 3 not begun")
    }

    @MainActor @Test func aRowShowsTheNameAndTheBytes() {
        let meter = TransferMeter()
        let transfer = meter.beginTransfer(label: "a")
        transfer.update(TransferProgress(completedBytes: 29, totalBytes: 100))
        let view = ProgressView(transfers: [], waiting: [], tally: Tally(), jobs: 1, meter: meter)
        #expect(view.rows(1).map(\.name) == ["a"] && view.rows(1)[0].details[0].text == "29 of 100 B")
        #expect(view.rows(1)[0].fraction == 0.29)
    }
}
