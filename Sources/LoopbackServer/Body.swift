/// The content of an answer: bytes at hand, or bytes made when they are sent, so that even gigabytes take no memory.
package enum Body: Sendable {
    case bytes([UInt8])
    /// `size` bytes that follow from `seed` alone. See ``bytes(in:)``.
    case generated(size: Int, seed: UInt64)

    package var count: Int {
        switch self {
        case .bytes(let bytes): bytes.count
        case .generated(let size, _): size
        }
    }

    /// A part of it, for sending and for tests to compare with.
    ///
    /// A generated body repeats 64 KiB of pseudo-random bytes, of which the first eight are the number of the
    /// repetition: any part that is missing, doubled or moved shows.
    ///
    /// - Parameter range: A range within `0..<count`.
    /// - Returns: As many bytes as the range is long.
    package func bytes(in range: Range<Int>) -> [UInt8] {
        switch self {
        case .bytes(let bytes): Array(bytes[range])
        case .generated(_, let seed): Self.generate(range, page: Self.page(seed: seed))
        }
    }

    static let pageSize = 64 * 1024

    /// What `bytes(in:)` of a generated body works from; made once for each answer.
    static func page(seed: UInt64) -> [UInt8] {
        var page: [UInt8] = []
        page.reserveCapacity(pageSize)
        var state = seed
        while page.count < pageSize {
            // SplitMix64 (Steele, Lea, Flood 2014).
            state &+= 0x9E37_79B9_7F4A_7C15
            var word = state
            word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
            word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
            word ^= word >> 31
            withUnsafeBytes(of: word.littleEndian) { page.append(contentsOf: $0) }
        }
        return page
    }

    static func generate(_ range: Range<Int>, page: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(range.count)
        var position = range.lowerBound
        while position < range.upperBound {
            let (number, offset) = position.quotientAndRemainder(dividingBy: pageSize)
            let end = min(pageSize, offset + range.upperBound - position)
            var taken = offset
            if offset < 8 {
                let stamp = withUnsafeBytes(of: UInt64(number).littleEndian) { Array($0) }
                taken = min(8, end)
                result.append(contentsOf: stamp[offset..<taken])
            }
            result.append(contentsOf: page[taken..<end])
            position += end - offset
        }
        return result
    }
}
