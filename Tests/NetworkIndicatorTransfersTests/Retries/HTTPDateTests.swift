import Foundation
import Testing

@testable import NetworkIndicatorTransfers

@Suite struct HTTPDateTests {
    @Test(arguments: [
        ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777.0),
        ("Sunday, 06-Nov-94 08:49:37 GMT", nil), ("Sun Nov  6 08:49:37 1994", nil),
        ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
        ("Wed, 31 Dec 1969 23:59:59 GMT", -1), ("Thu, 29 Feb 2024 12:00:00 GMT", 1_709_208_000),
        ("Fri, 01 Mar 1901 00:00:00 GMT", -2_172_355_200), ("Sun, 31 Dec 2400 23:59:59 GMT", 13_601_087_999),
        ("Sun, 06 Nov 1994 08:49:37", nil), ("yesterday", nil), ("", nil),
        ("Sun, 06 Foo 1994 08:49:37 GMT", nil), ("Sun, 06 Nov 1994 08:49:37+05 GMT", nil),
        ("Sun, 06 Nov 1994 08:49:-3 GMT", nil),
        ("Sun, 06 Nov 99999 08:49:37 GMT", nil), ("Sun, 0\u{301}6 Nov 1994 08:49:37 GMT", nil),
    ])
    func dates(text: String, seconds: Double?) {
        #expect(HTTPDate.parse(text)?.timeIntervalSince1970 == seconds)
    }
}
