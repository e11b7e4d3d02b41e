/// What happens to a download before it ends.
enum DownloadEvent: Sendable {
    /// An attempt begins.
    case started
    /// An attempt failed; the next one, of so many at most, comes after a delay.
    case willRetry(attempt: Int, of: Int, delay: Duration, reason: DownloadError)
    /// There is no network: the next attempt is made when there may be one again.
    case waitingForConnectivity(reason: DownloadError, isFirst: Bool)
}

extension DownloadEvent {
    /// Whether it is worth a line: the same trouble again is not.
    var isNews: Bool {
        if case .waitingForConnectivity(_, let isFirst) = self { isFirst } else { true }
    }

    /// What is said of a wait.
    var wait: String? {
        switch self {
        case .started: nil
        case .willRetry(let attempt, let limit, let delay, let reason):
            "retrying in \(Format.delay(delay)) (\(attempt) of \(limit)): \(reason)"
        case .waitingForConnectivity(let reason, _): "waiting for the network: \(reason)"
        }
    }
}
