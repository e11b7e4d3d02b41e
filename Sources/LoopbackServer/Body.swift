/// The body of an answer: given bytes, or bytes that are generated while they are sent. Large generated bodies need
/// little memory.
package enum Body: Sendable {
    case bytes([UInt8])
    /// `size` bytes that depend on `seed` alone. See ``bytes(in:)``.
    case generated(size: Int, seed: UInt64)

    package var count: Int {
        switch self {
        case .bytes(let bytes): bytes.count
        case .generated(let size, _): size
        }
    }

    /// A part of the body, for sending and for comparison in tests.
    ///
    /// A generated body repeats 64 KiB of pseudo-random bytes. The first eight bytes of each repetition are its number,
    /// so a comparison finds every missing, duplicated or moved part.
    ///
    /// - Parameter range: A range within `0..<count`.
    /// - Returns: The bytes of the range.
    package func bytes(in range: Range<Int>) -> [UInt8] {
        switch self {
        case .bytes(let bytes): Array(bytes[range])
        case .generated(_, let seed): Self.generate(range, page: Self.page(seed: seed))
        }
    }

    static let pageSize = 64 * 1024

    /// The repeated bytes of a generated body, made once for each answer.
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
