/// A server can announce any length, so the sum of lengths can exceed `Int64.max`.
struct ByteSum {
    private var low: UInt64 = 0
    private var high = 0

    static func += (sum: inout ByteSum, bytes: Int64) {
        let (low, isCarried) = sum.low.addingReportingOverflow(UInt64(bytes))
        sum.low = low
        if isCarried { sum.high += 1 }
    }

    static func -= (sum: inout ByteSum, bytes: Int64) {
        let (low, isBorrowed) = sum.low.subtractingReportingOverflow(UInt64(bytes))
        sum.low = low
        if isBorrowed { sum.high -= 1 }
    }

    var value: Double { Double(high) * 0x1p64 + Double(low) }

    var bytes: Int64 { high == 0 ? Int64(clamping: low) : .max }
}
