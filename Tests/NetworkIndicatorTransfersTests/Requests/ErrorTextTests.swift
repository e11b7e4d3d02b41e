import Foundation
import Testing

@testable import NetworkIndicatorTransfers

@Suite("Texts of errors")
struct ErrorTextTests {
    private let lost = URLError(.networkConnectionLost, reason: "the connection was lost before a response", url: nil)

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
        #expect(AttemptFailure.status(503, retryAfter: nil).description == "503 Service Unavailable")
    }

    @Test("A download's error has the same shape")
    func downloadErrors() throws {
        let url = try #require(URL(string: "http://h.example/film.bin"))
        let (file, part) = (URL(filePath: "/d/x"), URL(filePath: "/d/.x.part"))
        let response = try #require(HTTPURLResponse(url: url, statusCode: 404, httpVersion: nil, headerFields: nil))
        let errors: [(DownloadError, String)] = [
            (.unacceptableStatus(response), "404 Not Found"),
            (
                .unrelatedResponse(response, part: part),
                "not resumed, because h.example sent another file; to start over, delete /d/.x.part"
            ),
            (.tooLarge(limit: 7), "the file has more than 7 bytes"),
            (.file(.create, url: file, code: .EEXIST), "cannot create x: File exists"),
            (.file(.write, url: part, code: .ENOSPC), "cannot write .x.part: No space left on device"),
            (
                .notMoved(url: part, destination: file, code: .EEXIST),
                "cannot move the complete file to /d/x: File exists; it is kept as /d/.x.part"
            ),
        ]
        for (error, text) in errors { #expect(error.description == text) }
    }
}
