import NetworkIndicatorTransfers

/// The results of the downloads.
struct Tally: Equatable {
    var fetched = 0
    var skipped = 0
    var failed = 0
    /// The downloads that a signal has ended.
    var interrupted = 0
    /// The bytes of the complete files.
    var size: Int64 = 0
    /// The bytes of these files that this run has received.
    var received: Int64 = 0

    var complete: Int { fetched + skipped }
    var ended: Int { complete + failed + interrupted }

    /// The last line, such as `3 files, 1.5 MB, 0.52 s, 2.9 MB/s`.
    ///
    /// - Parameter count: The number of files to fetch.
    func summary(of count: Int, time: Duration) -> String {
        var parts = ["\(fetched) file\(fetched == 1 ? "" : "s")", ByteCount(size).description, Format.time(time)]
        if interrupted == 0, let rate = Format.rate(received, time) { parts.append(rate) }
        let others = [
            (skipped, "skipped"), (failed, "failed"), (interrupted, "interrupted"), (count - ended, "not begun"),
        ]
        parts += others.filter { $0.0 > 0 }.map { "\($0) \($1)" }
        return parts.joined(separator: ", ")
    }
}
