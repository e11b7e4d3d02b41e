import Foundation
import NetworkIndicator
import Testing

@testable import NetworkIndicatorTransfers

@Suite struct HTTPDateTests {
    @Test(arguments: [
        ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777.0),
        ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777), ("Sun Nov  6 08:49:37 1994", 784_111_777),
        ("Sun Nov 16 08:49:37 1994", 784_975_777), ("Friday, 06-Nov-70 08:49:37 GMT", 26_729_377),
        ("Wednesday, 06-Nov-69 08:49:37 GMT", 3_150_953_377), ("Sun, 31 Dec 2400 23:59:59 GMT", 13_601_087_999),
        ("Wed, 31 Dec 1969 23:59:59 GMT", -1), ("Thu, 29 Feb 2024 12:00:00 GMT", 1_709_208_000),
        ("Sunday, 06-Nov 08:49:37 GMT", nil), ("Sun Nov 6 08:49:37", nil), ("Sun 6 Nov 08:49:37 1994", nil),
        ("Sun, 06 Nov 1994 08:49:37", nil), ("yesterday", nil), ("", nil), ("Sun, 06 Foo 1994 08:49:37 GMT", nil),
        ("Sun, 06 Nov 1994 08:49:37+05 GMT", nil), ("Sun, 06 Nov 99999 08:49:37 GMT", nil),
        ("Sun, 0\u{301}6 Nov 1994 08:49:37 GMT", nil),
    ])
    func dates(text: String, seconds: Double?) {
        #expect(HTTPDate.parse(text)?.timeIntervalSince1970 == seconds)
    }

    @Test(arguments: [
        ("0", Duration.zero), (" 120 ", .seconds(120)), ("-1", nil), ("1.5", nil), ("", nil), ("soon", nil),
        ("4000000000", .seconds(4_000_000_000 as Int64)), ("\u{0663}", nil),
        ("+5", nil), ("1764283200000", .longest), (String(repeating: "9", count: 40), .longest),
        ("Sun, 06 Nov 1994 08:49:37 GMT", .seconds(37)), ("Sun, 06 Nov 1994 08:48:00 GMT", .zero),
    ])
    func theWaitOfRetryAfter(value: String, expected: Duration?) {
        // 1994-11-06 08:49:00 UTC.
        #expect(RetryAfter.delay(value, at: Date(timeIntervalSince1970: 784_111_740)) == expected)
    }
}
