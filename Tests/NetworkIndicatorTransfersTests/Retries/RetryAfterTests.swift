import Foundation
import NetworkIndicator
import TestSupport
import Testing

@testable import NetworkIndicatorTransfers

/// `Retry-After` from arbitrary servers.
@Suite struct RetryAfterTests {
    private static let seeds = [
        "120", "0", "99999999999999999999", "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT",
        "Sun Nov  6 08:49:37 1994", "Wed, 31 Dec 9999 23:59:60 GMT", "Mon, 01 Jan 0000 00:00:00 GMT", "",
    ]
    private static let alphabet = Array("0123456789 ,:-+.eEGMTSunNov\u{0}\t\u{0663}\u{FF11}é\u{301}".unicodeScalars)

    /// `DateFormatter` traps on this value, so a server could end the program.
    @Test func aCombiningMarkAmongDigitsIsNoDate() {
        #expect(RetryAfter.delay("Sun Nov  6 08:49:\u{301}7 1994", at: .now) == nil)
    }

    @Test func anyValueIsAWaitWithinLimitsOrNone() {
        var generator = SeededGenerator(seed: 1)
        var waits = 0
        for _ in 0..<5_000 {
            var scalars = Array(Self.seeds.randomElement(using: &generator)!.unicodeScalars)
            for _ in 0..<Int.random(in: 0...5, using: &generator) {
                let index = Int.random(in: 0...scalars.count, using: &generator)
                let scalar = Self.alphabet.randomElement(using: &generator)!
                switch Int.random(in: 0..<3, using: &generator) {
                case 0 where index < scalars.count: scalars[index] = scalar
                case 1 where index < scalars.count: scalars.remove(at: index)
                default: scalars.insert(scalar, at: index)
                }
            }
            let value = String(String.UnicodeScalarView(scalars))
            let now = Date(timeIntervalSince1970: .random(in: -1e12...1e12, using: &generator))
            guard let wait = RetryAfter.delay(value, at: now) else { continue }
            waits += 1
            #expect((.zero ... .longest).contains(wait), "\(value.debugDescription) at \(now)")
        }
        #expect(waits > 500)
    }
}
