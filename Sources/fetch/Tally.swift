import NetworkIndicator

/// How far the downloads are. Any thread.
final class Tally: Sendable {
    struct Numbers {
        var total: Int
        var inFlight = 0
        /// Between two attempts.
        var waiting = 0
        var fetched = 0
        var failed = 0
        /// Of the files that are complete, in bytes.
        var size = 0

        /// What the indicator says.
        var label: String {
            let waits = waiting == 0 ? "" : "\(waiting) waiting, "
            return "\(Format.count(inFlight, "download")) in flight, \(waits)\(fetched + failed) of \(total) done"
        }

        /// The last line.
        func summary(time: Duration) -> String {
            let end = failed == 0 ? "" : ", \(failed) failed"
            return "\(Format.count(fetched, "file")), \(Format.size(size)), \(Format.time(time))\(end)"
        }
    }

    private let state: Lock<Numbers>

    init(total: Int) {
        state = Lock(Numbers(total: total))
    }

    var numbers: Numbers { state.withLock { $0 } }

    func began() { state.withLock { $0.inFlight += 1 } }

    func wait() {
        state.withLock { numbers in
            numbers.inFlight -= 1
            numbers.waiting += 1
        }
    }

    func resume() {
        state.withLock { numbers in
            numbers.inFlight += 1
            numbers.waiting -= 1
        }
    }

    func ended(_ result: Result<Download.Outcome, DownloadError>) {
        state.withLock { numbers in
            numbers.inFlight -= 1
            switch result {
            case .success(let outcome):
                numbers.fetched += 1
                numbers.size += outcome.size
            case .failure:
                numbers.failed += 1
            }
        }
    }
}
