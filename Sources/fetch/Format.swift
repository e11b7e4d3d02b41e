import Foundation

extension Int64 {
    var bytesText: String {
        formatted(.byteCount(style: .decimal, spellsOutZero: false).locale(Locale(identifier: "en_US")))
    }
}

extension Duration {
    var text: String {
        formatted(
            .units(allowed: [.hours, .minutes, .seconds], width: .narrow, fractionalPart: .show(length: 1))
                .locale(Locale(identifier: "en_US"))
        )
        .replacing(/(\d)([hms])/) { "\($0.1) \($0.2)" }
    }
}
