import Foundation
import NetworkIndicator
import Testing

@testable import NetworkIndicatorTransfers

struct RetryAfterTests {
    @Test(arguments: [
        ("0", Duration.zero), ("120", .seconds(120)), (" 7 ", .seconds(7)), ("-1", nil), ("1.5", nil), ("", nil),
        ("soon", nil), ("99999999999999999999999", .longest), ("\u{0663}", nil),
        ("Sun, 06 Nov 1994 08:49:37 GMT", .seconds(37)), ("Sun, 06 Nov 1994 08:48:00 GMT", .zero),
    ])
    func aDelay(value: String, expected: Duration?) {
        // 1994-11-06 08:49:00 UTC.
        #expect(RetryAfter.delay(value, at: Date(timeIntervalSince1970: 784_111_740)) == expected)
    }

    @Test func aDelayIsWithinLimits() {
        #expect(RetryAfter.delay("Fri, 31 Dec 9999 23:59:59 GMT", at: Date(timeIntervalSince1970: -1e12)) == .longest)
    }
}
