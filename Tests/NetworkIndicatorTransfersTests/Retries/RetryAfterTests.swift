import Foundation
import NetworkIndicator
import Testing

@testable import NetworkIndicatorTransfers

struct RetryAfterTests {
    @Test(arguments: [
        ("0", Duration.zero), (" 120 ", .seconds(120)), ("-1", nil), ("1.5", nil), ("", nil), ("soon", nil),
        ("4000000000", .seconds(4_000_000_000 as Int64)), ("\u{0663}", nil),
        ("+5", nil), ("1764283200000", .longest), (String(repeating: "9", count: 40), .longest),
        ("Sun, 06 Nov 1994 08:49:37 GMT", .seconds(37)), ("Sun, 06 Nov 1994 08:48:00 GMT", .zero),
        ("Thu, 29 Feb 2024 12:00:00 GMT", .seconds(925_096_260 as Int64)),
        ("Sun, 06 Foo 1994 08:49:37 GMT", nil), ("Sun, 99 Nov 1994 08:49:37 GMT", nil),
        ("Sun, 0\u{301}6 Nov 1994 08:49:37 GMT", nil),
    ])
    func theWait(value: String, expected: Duration?) {
        // 1994-11-06 08:49:00 UTC.
        #expect(RetryAfter.delay(value, at: Date(timeIntervalSince1970: 784_111_740)) == expected)
    }
}
