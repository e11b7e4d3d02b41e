import Testing

@testable import LoopbackServer

@Suite struct ResponsePlanTests {
    /// The steps with their bytes as text.
    private func steps(_ answer: Answer, _ method: String = "GET", _ headers: HTTPHeaders = [:]) -> [String] {
        var plan = ResponsePlan(answer, for: HTTPRequest(method: method, target: "/", headers: headers))
        var steps: [String] = []
        while let step = plan.next() {
            switch step {
            case .send(let bytes): steps.append(String(decoding: bytes, as: UTF8.self))
            case .wait(let time): steps.append("wait \(time)")
            case .cut(let cut): steps.append("\(cut)")
            case .close: steps.append("close in order")
            }
        }
        return steps
    }

    private func head(_ lines: String...) -> String { lines.joined(separator: "\r\n") + "\r\n\r\n" }
    private let abcde = Answer.bytes(Array("abcde".utf8))

    @Test func aPlainAnswer() {
        #expect(steps(abcde) == [head("HTTP/1.1 200 OK", "Content-Length: 5"), "abcde"])
        #expect(
            steps(abcde.closing()) == [
                head("HTTP/1.1 200 OK", "Content-Length: 5", "Connection: close"), "abcde", "close in order",
            ])
        #expect(steps(abcde, "HEAD") == [head("HTTP/1.1 200 OK", "Content-Length: 5")])
        #expect(steps(Answer(status: 204)) == [head("HTTP/1.1 204 No Content")])
        #expect(steps(abcde, "GET", ["Connection": "Close"]).last == "close in order")
    }

    @Test func aDelayAndADrip() {
        let answer = abcde.delayed(by: .seconds(1)).dripping(2, every: .seconds(3))
        #expect(
            steps(answer) == [
                "wait 1.0 seconds", head("HTTP/1.1 200 OK", "Content-Length: 5"), "ab", "wait 3.0 seconds", "cd",
                "wait 3.0 seconds", "e",
            ])
    }

    @Test func cuts() {
        let whole = head("HTTP/1.1 200 OK", "Content-Length: 5")
        #expect(steps(.reset) == ["reset"])
        #expect(steps(.close) == ["close"])
        #expect(steps(.silence.delayed(by: .seconds(1))) == ["wait 1.0 seconds", "stall"])
        #expect(steps(abcde.cut(.reset, after: 0)) == [whole, "reset"])
        #expect(steps(abcde.cut(.close, after: 3)) == [whole, "abc", "close"])
        #expect(steps(abcde.cut(.stall, after: 5)) == [whole, "abcde", "stall"])
        #expect(steps(abcde.dripping(2, every: .zero).cut(.close, after: 2)) == [whole, "ab", "close"])
        #expect(steps(abcde.dripping(2, every: .zero).cut(.close, after: 3)) == [whole, "ab", "c", "close"])
    }

    @Test func chunks() {
        let start = head("HTTP/1.1 200 OK", "Transfer-Encoding: chunked")
        let answer = abcde.chunked().dripping(3, every: .zero)
        #expect(steps(answer) == [start, "3\r\nabc\r\n", "2\r\nde\r\n", "0\r\n\r\n"])
        #expect(steps(answer, "HEAD") == [start])
        #expect(steps(answer.cut(.close, after: 1)) == [start, "3\r\na", "close"])
        #expect(steps(answer.cut(.close, after: 3)) == [start, "3\r\nabc\r\n", "close"])
        #expect(steps(answer.cut(.close, after: 5)) == [start, "3\r\nabc\r\n", "2\r\nde\r\n", "close"])
        #expect(steps(Answer.bytes([]).chunked()) == [start, "0\r\n\r\n"])
    }

    @Test func untilClose() {
        #expect(steps(abcde.untilClose()) == [head("HTTP/1.1 200 OK", "Connection: close"), "abcde", "close in order"])
    }

    @Test func rawAnswers() {
        #expect(steps(.raw("garbage").cut(.reset, after: 3)) == ["", "gar", "reset"])
        #expect(steps(.raw("garbage")) == ["", "garbage", "close in order"])
    }

    @Test func ranges() {
        let answer = abcde.ranged(entityTag: "\"v1\"")
        let tag = "ETag: \"v1\"\r\nAccept-Ranges: bytes"
        let whole = [head("HTTP/1.1 200 OK", tag, "Content-Length: 5"), "abcde"]
        let part = [
            head("HTTP/1.1 206 Partial Content", tag, "Content-Range: bytes 2-4/5", "Content-Length: 3"), "cde",
        ]
        #expect(steps(answer) == whole)
        #expect(steps(answer, "GET", ["Range": "bytes=2-"]) == part)
        #expect(steps(answer, "GET", ["Range": "bytes=2-99"]) == part)
        #expect(steps(answer, "GET", ["Range": "bytes=-3"]) == part)
        #expect(steps(answer, "GET", ["Range": "bytes=2-", "If-Range": "\"v1\""]) == part)
        #expect(steps(answer, "GET", ["Range": "bytes=2-", "If-Range": "\"v0\""]) == whole)
        #expect(steps(answer, "GET", ["Range": "bytes=0-1,3-4"]) == whole)
        #expect(steps(answer, "HEAD", ["Range": "bytes=2-"]) == [whole[0]])
        #expect(
            steps(answer, "GET", ["Range": "bytes=5-"]) == [
                head("HTTP/1.1 416 Range Not Satisfiable", tag, "Content-Range: bytes */5", "Content-Length: 0")
            ])
        #expect(steps(answer, "GET", ["If-None-Match": "\"v1\""]) == [head("HTTP/1.1 304 Not Modified", tag)])
        #expect(steps(abcde, "GET", ["Range": "bytes=2-"])[1] == "abcde")
    }

    @Test(arguments: [
        ("bytes=0-0", ByteRange.from(0, through: 0)), ("BYTES=7-", .from(7, through: nil)), ("bytes=-9", .last(9)),
        ("bytes=3-2", nil), ("bytes=-", nil), ("bytes=", nil), ("bytes=a-b", nil), ("items=0-1", nil),
        ("bytes=--1", nil),
        ("bytes=99999999999999999999-", nil), ("bytes=0-99999999999999999999", nil),
    ])
    func rangeHeaders(header: String, range: ByteRange?) {
        #expect(ByteRange(header) == range)
    }

    @Test func aGeneratedBodyIsTheSameInAnyParts() {
        let body = Body.generated(size: 200_000, seed: 7)
        let whole = body.bytes(in: 0..<200_000)
        #expect(whole.count == 200_000)
        for range in [0..<1, 5..<9, 65_530..<65_550, 65_536..<131_072, 131_071..<199_999, 7..<7] {
            let isEqual = body.bytes(in: range) == Array(whole[range])
            #expect(isEqual, "\(range)")
        }
        // The 64 KiB pages of a body differ, and so do the bodies of different seeds.
        let repeats = whole[..<65_536] == whole[65_536..<131_072]
        #expect(!repeats)
        #expect(Body.generated(size: 100, seed: 8).bytes(in: 0..<100) != Array(whole[..<100]))
    }
}
