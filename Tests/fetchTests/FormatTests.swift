import Testing

@testable import fetch

@Suite struct FormatTests {
    @Test(arguments: [
        (0, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (1049, "1.0 kB"), (1050, "1.1 kB"), (999_949, "999.9 kB"),
        (999_950, "1.0 MB"), (1_000_000, "1.0 MB"), (123_456_789, "123.5 MB"), (5_000_000_000, "5.0 GB"),
        (Int.max, "9.2 EB"),
    ])
    func sizes(bytes: Int, text: String) {
        #expect(Format.size(bytes) == text)
    }

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

    @Test func linesAreInColumns() {
        let lines = [
            Format.line(.init(status: 200, size: 5), time: .milliseconds(10), path: "a"),
            Format.line(.init(status: 200, size: 123_400_000), time: .seconds(3599), path: "d/b c"),
        ]
        #expect(lines == ["200       5 B     0.01 s  a", "200  123.4 MB  59 m 59 s  d/b c"])
    }

    @Test func numbers() {
        let tally = Tally(total: 3)
        #expect(tally.numbers.label == "0 downloads in flight, 0 of 3 done")
        for _ in 0..<3 { tally.began() }
        tally.ended(.success(.init(status: 200, size: 1_000)))
        tally.ended(.failure(.cannotConnect))
        #expect(tally.numbers.label == "1 download in flight, 2 of 3 done")
        #expect(tally.numbers.summary(time: .seconds(2)) == "1 file, 1.0 kB, 2.00 s, 1 failed")
        tally.ended(.success(.init(status: 200, size: 500)))
        #expect(tally.numbers.summary(time: .seconds(2)) == "2 files, 1.5 kB, 2.00 s, 1 failed")
    }
}
