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
        let isNeeded = [state.move(to: .receiving), state.needsData]
        let isIgnored = state.move(to: .ignoring(response))
        #expect(isNeeded == [true, true] && isIgnored && !state.needsData)
    }

    @Test func aResponseAfterARequestForCredentials() {
        var state = initial
        _ = state.move(to: .receiving)
        _ = state.move(to: .ignoring(response))
        let isNeeded = [state.move(to: .receiving), state.needsData]
        #expect(isNeeded == [true, true])
    }

    @Test func theWaitForAChallengeEndsUnlessTheChallengeArrives() {
        var ignoring = initial
        _ = ignoring.move(to: .receiving)
        _ = ignoring.move(to: .ignoring(response))
        var (asked, answered) = (ignoring, ignoring)
        asked.clock.isPaused = true
        _ = answered.move(to: .waiting)
        var responded = answered
        _ = responded.move(to: .receiving)
        let ends = [ignoring.endIgnored(), asked.endIgnored(), answered.endIgnored(), responded.endIgnored()]
        #expect(ends.map { $0 != nil } == [true, false, false, false])
        #expect([ignoring, asked, answered, responded].map(\.isDecided) == [true, false, false, false])
    }

    @Test(arguments: [false, true]) func aRedirectToTheSameMethod(keepsBody: Bool) {
        var state = initial
        let body = state.redirect(to: URLRequest("POST", url), keepsBody: keepsBody)
        if case .data? = body { #expect(keepsBody) } else { #expect(!keepsBody) }
    }

    @Test func nothingFollowsTheResult() {
        var state = initial
        _ = state.decide()
        let isNeeded = [state.move(to: .receiving), state.needsData, state.move(to: .ignoring(response))]
        #expect(isNeeded == [false, false, false])
        #expect(state.isDecided)
    }
}
