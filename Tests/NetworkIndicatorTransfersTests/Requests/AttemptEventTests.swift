import Foundation
import Testing

@testable import NetworkIndicatorTransfers

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
                "attempt 1", "attempt 2 in 0.3 s: the connection was lost before a response",
                "attempt 3 in 90 s: 503 Service Unavailable", "attempt 4 in 0.1 s: 503 Service Unavailable",
                "attempt 5 in 10 s: 503 Service Unavailable",
                "waiting for the network: the connection was lost before a response", "receiving, resumable",
                "receiving, not verifiable", "24.1 of 62.6 MB", "2.0 MB", "finished",
            ])
    }

    @Test("An error is the reason, with the offline time or the number of attempts")
    func errors() throws {
        let url = try #require(URL(string: "http://host.example/film.bin"))
        func text(attempts: Int, offline: Duration? = nil) -> String {
            NetworkRequestError(underlyingError: lost, attemptCount: attempts, offlineTime: offline, url: url)
                .description
        }
        let cause = "the connection was lost before a response"
        #expect(text(attempts: 1) == cause && text(attempts: 0) == cause)
        #expect(text(attempts: 3) == cause + " (after 3 attempts)")
        #expect(text(attempts: 7, offline: .seconds(60)) == cause + " (offline for 60 s)")
    }

    @Test("A download's error has the same shape")
    func downloadErrors() throws {
        let url = try #require(URL(string: "http://h.example/film.bin"))
        let (file, part) = (URL(filePath: "/d/x"), URL(filePath: "/d/.x.part"))
        let response = try #require(HTTPURLResponse(url: url, statusCode: 404, httpVersion: nil, headerFields: nil))
        let errors: [(DownloadError, URL?, URLError.Code, String)] = [
            (.unacceptableStatus(response), url, .badServerResponse, "404 Not Found"),
            (
                .unrelatedResponse(response, part: part), url, .badServerResponse,
                "not resumed, because h.example sent another file; to start over, delete /d/.x.part"
            ),
            (.tooLarge(limit: 7), nil, .dataLengthExceedsMaximum, "the file has more than 7 bytes"),
            (.file(.create, url: file, code: .EEXIST), file, .cannotCreateFile, "cannot create x: File exists"),
            (
                .file(.write, url: part, code: .ENOSPC), part, .cannotWriteToFile,
                "cannot write .x.part: No space left on device"
            ),
            (
                .notMoved(url: part, destination: file, code: .EEXIST), part, .cannotMoveFile,
                "cannot move the complete file to /d/x: File exists; it is kept as /d/.x.part"
            ),
        ]
        for (error, url, code, text) in errors {
            #expect(error.url == url && error.code == code && error.description == text)
        }
    }
}
