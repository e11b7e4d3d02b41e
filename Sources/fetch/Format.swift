import Foundation

extension Int64 {
    /// The number of bytes as text, such as `62.6 MB`.
    var bytesText: String {
        formatted(.byteCount(style: .decimal, spellsOutZero: false).locale(Locale(identifier: "en_US")))
    }
}

extension Duration {
    /// The duration as text, such as `0.5s` or `1m 2.0s`.
    var text: String {
        formatted(
            .units(allowed: [.hours, .minutes, .seconds], width: .narrow, fractionalPart: .show(length: 1))
                .locale(Locale(identifier: "en_US")))
    }
}
