/// One range of a `Range` header: `bytes=5-9`, `bytes=5-`, `bytes=-5`. RFC 9110 allows a server to ignore other forms.
enum ByteRange: Equatable {
    case from(Int, through: Int?)
    case last(Int)

    init?(_ header: String) {
        let prefix = "bytes="
        guard header.lowercased().hasPrefix(prefix) else { return nil }
        let parts = header.dropFirst(prefix.count).split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let numbers = parts.map { part in part.allSatisfy { ("0"..."9").contains($0) } ? Int(part) : nil }
        switch (numbers[0], numbers[1]) {
        case (let first?, let last?) where first <= last: self = .from(first, through: last)
        case (let first?, nil) where parts[1].isEmpty: self = .from(first, through: nil)
        case (nil, let count?) where parts[0].isEmpty: self = .last(count)
        default: return nil
        }
    }

    /// The range within a body of this length, or `nil` if it is outside.
    func within(_ count: Int) -> Range<Int>? {
        switch self {
        case .from(let first, let last):
            first < count ? first..<(min(last ?? count - 1, count - 1) + 1) : nil
        case .last(let length):
            length > 0 && count > 0 ? (count - min(length, count))..<count : nil
        }
    }
}
