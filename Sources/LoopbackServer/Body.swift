public struct Body: Sendable {
    public let count: Int
    private let page: [UInt8]
    private let isGenerated: Bool

    public static func bytes(_ bytes: [UInt8]) -> Body {
        Body(count: bytes.count, page: bytes, isGenerated: false)
    }

    /// The body repeats 64 KiB of pseudo-random bytes. The first eight bytes of each repetition are replaced with the
    /// repetition's number, counted from 0.
    public static func generated(size: Int, seed: UInt64) -> Body {
        var page: [UInt8] = []
        var state = seed
        while page.count < min(size, pageSize) {
            // SplitMix64
            state &+= 0x9E37_79B9_7F4A_7C15
            var word = state
            word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
            word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
            word ^= word >> 31
            withUnsafeBytes(of: word.littleEndian) { page.append(contentsOf: $0) }
        }
        return Body(count: size, page: page, isGenerated: true)
    }

    public func bytes(in range: Range<Int>) -> [UInt8] {
        guard isGenerated else { return Array(page[range]) }
        var result: [UInt8] = []
        result.reserveCapacity(range.count)
        var position = range.lowerBound
        while position < range.upperBound {
            let (number, offset) = position.quotientAndRemainder(dividingBy: Self.pageSize)
            let end = min(Self.pageSize, offset + range.upperBound - position)
            let stamp = withUnsafeBytes(of: UInt64(number).littleEndian) { Array($0) }
            if offset < stamp.count { result += stamp[offset..<min(stamp.count, end)] }
            if end > stamp.count { result += page[max(offset, stamp.count)..<end] }
            position += end - offset
        }
        return result
    }

    static let pageSize = 64 * 1024
}
