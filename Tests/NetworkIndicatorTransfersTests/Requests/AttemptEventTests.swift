import Foundation
import Testing

@testable import NetworkIndicatorTransfers

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Texts of events and errors")
struct AttemptEventTests {
    private let lost = URLError(.networkConnectionLost, reason: "the connection was lost before a response", url: nil)

    @Test("An event describes itself")
    func events() {
        let events: [AttemptEvent] = [
            .started(attempt: 1), .willRetry(attempt: 2, failure: .transport(lost), delay: .milliseconds(320)),
            .willRetry(attempt: 3, failure: .status(503, retryAfter: .seconds(90)), delay: .seconds(90)),
            .willRetry(attempt: 4, failure: .status(503, retryAfter: nil), delay: .zero),
            .willRetry(attempt: 5, failure: .status(503, retryAfter: nil), delay: .milliseconds(9_960)),
            .waitingForConnectivity(error: lost), .receiving(isResumable: true, isVerifiable: true),
            .receiving(isResumable: false, isVerifiable: false),
            .progress(TransferProgress(completedBytes: 24_100_000, totalBytes: 62_600_000)),
            .progress(TransferProgress(completedBytes: 2_000_000)), .finished,
        ]
        #expect(
            events.map { "\($0)" } == [
                "attempt 1", "attempt 2 in 0.3 s: the connection was lost before a response (-1005)",
                "attempt 3 in 90 s: status 503", "attempt 4 in 0.1 s: status 503", "attempt 5 in 10 s: status 503",
                "waiting for the network: the connection was lost before a response (-1005)", "receiving, resumable",
                "receiving, not verifiable", "24.1 of 62.6 MB", "2.0 MB", "finished",
            ])
    }

    @Test("An error contains the offline time or the number of attempts, and its URL once")
    func errors() throws {
        let url = try #require(URL(string: "http://host.example/film.bin"))
        func text(attempts: Int, offline: Duration? = nil) -> String {
            NetworkRequestError(underlyingError: lost, attemptCount: attempts, offlineTime: offline, url: url)
                .description
        }
        let cause = "http://host.example/film.bin: the connection was lost before a response (-1005, "
        #expect(text(attempts: 1) == cause + "after 1 attempt)")
        #expect(text(attempts: 3) == cause + "after 3 attempts)")
        #expect(text(attempts: 7, offline: .seconds(60)) == cause + "offline for 60 s)")
    }
}
