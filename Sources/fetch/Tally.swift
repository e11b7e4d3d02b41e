/// The results of the downloads.
struct Tally: Equatable {
    var fetched = 0
    var failed = 0
    /// The bytes of the complete files.
    var size: Int64 = 0
    /// The bytes of these files that this run has received.
    var received: Int64 = 0

    /// The last line, such as `3 files, 1.5 MB, 0.52 s, 2.9 MB/s`.
    func summary(time: Duration) -> String {
        var parts = [Format.count(fetched, "file"), Format.size(size), Format.time(time)]
        if let rate = Format.rate(received, time) { parts.append(rate) }
        if failed > 0 { parts.append("\(failed) failed") }
        return parts.joined(separator: ", ")
    }
}
