import Foundation
import NetworkIndicatorTransfers

extension Int64 {
    /// The package's own style, such as `1.0 MB`.
    var text: String { "\(TransferProgress(completedBytes: self))" }
}

extension Duration {
    var text: String {
        let seconds = self / .seconds(1)
        return seconds < 60 ? String(format: "%.1f s", seconds) : "\(Int(seconds) / 60) m \(Int(seconds) % 60) s"
    }
}

extension String {
    /// Text from servers may contain control characters that move the cursor or set the terminal's title.
    var printable: String {
        let hidden: [Unicode.GeneralCategory] = [.control, .format, .lineSeparator, .paragraphSeparator]
        return unicodeScalars.map {
            hidden.contains($0.properties.generalCategory) ? $0.escaped(asASCII: true) : String($0)
        }.joined()
    }
}
