#if canImport(FoundationNetworking)
import Foundation
import LoopbackServer
import TestSupport
import Testing

@testable import NetworkIndicatorTransfers

/// The library and the program `curl` send the same cookies. The server is a proxy for all hosts.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct CookieTests {
    /// Each request is a URL without its scheme, lines after `<`, and the target of a redirect after `>`.
    private static let sequences: [[String]] = [
        // Paths
        ["h.example/app/login<sid=1", "h.example/", "h.example/app", "h.example/app/x", "h.example/application"],
        ["h.example/app/<sid=1; path=/app", "h.example/app", "h.example/app/x", "h.example/apple"],
        ["h.example/a/b/c<sid=1; path=x", "h.example/", "h.example/a/b/", "h.example/a/x"],
        ["h.example/<sid=1; path=/other", "h.example/", "h.example/other/x", "h.example/otherx"],
        ["h.example/<sid=1; path=/\"q\"", "h.example/%22q%22", "h.example/"],
        // Ends
        ["h.example/<a=1; max-age=0<b=2; max-age=-1<c=3; max-age=9", "h.example/"],
        ["h.example/<a=1; max-age=\"0\"<b=2; max-age=\"60\"<c=3; max-age=x", "h.example/"],
        [
            "h.example/<a=1; expires=Wed, 09 Jun 2021 10:18:14 GMT<b=1; expires=Wed, 09 Jun 2100 10:18:14 GMT",
            "h.example/",
        ],
        ["h.example/<a=1; expires=Wed, 09-Jun-21 10:18:14 GMT<b=1; expires=Sun, 06-Nov-99 08:49:37 GMT", "h.example/"],
        ["h.example/<a=1; expires=Wed, 09-Jun-49 10:18:14 GMT<b=1; expires=yesterday<c=1; expires=", "h.example/"],
        ["h.example/<a=1; max-age=60; expires=Wed, 09 Jun 2021 10:18:14 GMT", "h.example/"],
        ["h.example/<a=1; expires=Wed, 09 Jun 2100 10:18:14 GMT; max-age=0", "h.example/"],
        ["h.example/a/x<a=1; path=/a", "h.example/b/<a=; path=/a; max-age=0", "h.example/a/x"],
        ["h.example/a/x<a=1; path=/a", "h.example/b/<a=; max-age=0", "h.example/a/x"],
        ["h.example/<a=1<b=2", "h.example/<a=; expires=Thu, 01 Jan 1970 00:00:00 GMT", "h.example/"],
        // Names and values
        ["h.example/<sid=1,x=2", "h.example/"], ["h.example/<a=\"1 2\"; b=3", "h.example/"],
        ["h.example/<a = 1 ; path = /", "h.example/"], ["h.example/<=1<2<;<a", "h.example/"],
        ["h.example/<a=<b==1=<c=%20", "h.example/"], ["h.example/<a=1\tb<c\td=1<e=\u{E9}", "h.example/"],
        ["h.example/<a=1", "h.example/<a=2", "h.example/"], ["h.example/<A=1<a=2", "h.example/"],
        ["h.example/<a=1; HttpOnly; SameSite=Lax; Priority=High", "h.example/"],
        [
            "h.example/<a=\(String(repeating: "x", count: 4_000))<b=\(String(repeating: "x", count: 4_100))",
            "h.example/",
        ],
        // Domains
        [
            "www.h.example/<a=1<b=2; domain=h.example<c=3; domain=.h.example", "h.example/", "www.h.example/",
            "x.h.example/",
        ],
        [
            "h.example/<a=1; domain=www.h.example<b=1; domain=other.example<c=1; domain=example", "www.h.example/",
            "h.example/",
        ],
        ["h.example/<a=1; domain=", "h.example/", "www.h.example/"], ["h.example/<a=1; domain=.", "h.example/"],
        ["h.example/<a=1; domain=H.EXAMPLE", "H.example/", "www.h.example/"],
        ["www.dotless/<a=1; domain=dotless<b=1; domain=.dotless<c=1", "www.dotless/", "other.dotless/"],
        ["www.h.co.uk/<a=1; domain=co.uk<b=1; domain=h.co.uk", "www.h.co.uk/", "other.co.uk/"],
        ["192.0.2.1/<a=1; domain=2.1<b=1; domain=192.0.2.1<c=1", "192.0.2.1/", "9.192.0.2.1/"],
        // Safety
        [
            "h.example/<a=1; secure<__Secure-b=1; secure<__Host-c=1; secure; path=/<__Secure-d=1<__Host-e=1",
            "h.example/",
        ],
        // Redirects
        ["h.example/a<a=1; path=/>http://h.example/b", "h.example/"],
        ["h.example/a<a=1; path=/>http://other.example/b", "other.example/", "h.example/"],
    ]

    private static let hasCurl: ConditionTrait = .enabled("It needs curl.") {
        try await WatchedProcess.succeeds("which curl")
    }

    /// - Returns: The URL of each request, and its cookies.
    private func requests(of sequence: [String], to program: String, _ options: [String]) async throws -> [String] {
        let proxy = try LoopbackServer()
        let steps = sequence.map { $0.split(separator: ">").map { $0.components(separatedBy: "<") } }
        let responses = steps.map { step in
            let redirect = step.count > 1 ? "302 Found\r\nLocation: \(step[1][0])?r\r\n" : "200 OK\r\n"
            let cookies = step[0].dropFirst().map { "Set-Cookie: \($0)\r\n" }.joined()
            return Response.raw("HTTP/1.1 \(redirect)\(cookies)Content-Length: 0\r\n\r\n")
        }
        for step in steps {
            proxy.on("http://\(step[0][0])") { request in
                Int(request.target.drop { $0 != "?" }.dropFirst()).map { responses[$0] } ?? .text("")
            }
        }
        let urls = steps.enumerated().map { "http://\($1[0][0])?\($0)" }
        let environment = ["http_proxy": proxy.url("").absoluteString, "no_proxy": "", "NO_PROXY": ""]
        let process = try await WatchedProcess.run(program, options + urls, environment: environment)
        #expect(process.end == .exited(0), "\(process)")
        // curl sends newer cookies first.
        return proxy.requests.map { request in
            let cookies = (request.headers["Cookie"] ?? "").components(separatedBy: "; ").sorted()
            return "\(request.target.lowercased()) \(cookies.joined(separator: "; "))"
        }
    }

    @Test(hasCurl, arguments: sequences) func cookiesOfCurl(sequence: [String]) async throws {
        let curl = try await requests(of: sequence, to: "/usr/bin/env", ["curl", "-sL", "-b", "", "--fail-early"])
        let ours = try await requests(of: sequence, to: "TransferHost", ["cookies"])
        #expect(ours == curl)
        #expect(ours.count >= sequence.count)
    }
}
#endif
