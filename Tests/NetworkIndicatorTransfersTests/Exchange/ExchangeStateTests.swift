import Foundation
import Testing

@testable import NetworkIndicatorTransfers

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

struct ExchangeStateTests {
    private let url: URL
    private let response: URLResponse
    private let initial: Exchange.State

    init() throws {
        url = try #require(URL(string: "http://h/"))
        response = URLResponse(url: url, mimeType: nil, expectedContentLength: -1, textEncodingName: nil)
        let clock = ExchangeClock(.seconds(1), 1, .now)
        initial = Exchange.State(URLRequest("POST", url), .data(Data()), clock)
    }

    @Test func anUnneededBody() {
        var state = initial
        let isNeeded = [state.receiveHead(), state.needsData]
        state.ignoreBody(of: response)
        #expect(isNeeded == [true, true] && !state.needsData)
    }

    @Test func aResponseAfterARequestForCredentials() {
        var state = initial
        _ = state.receiveHead()
        state.ignoreBody(of: response)
        let isNeeded = [state.receiveHead(), state.needsData]
        #expect(isNeeded == [true, true])
    }

    @Test(arguments: [false, true]) func aRedirectToTheSameMethod(keepsBody: Bool) {
        var state = initial
        let body = state.redirect(to: URLRequest("POST", url), keepsBody: keepsBody)
        if case .data? = body { #expect(keepsBody) } else { #expect(!keepsBody) }
    }

    @Test func nothingFollowsTheResult() {
        var state = initial
        _ = state.decide()
        let isNeeded = [state.receiveHead(), state.needsData]
        state.ignoreBody(of: response)
        #expect(isNeeded == [false, false])
        #expect(state.isDecided)
    }
}
