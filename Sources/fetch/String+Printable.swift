extension String {
    /// Text from outside the program may contain credentials, and control characters that move the cursor or set the
    /// terminal's title.
    var printable: String {
        let text = replacing(/:\/\/[^\/?# \n]*@/.matchingSemantics(.unicodeScalar), with: "://")
        return text.unicodeScalars.map { $0.isPrintable ? String($0) : $0.escaped(asASCII: true) }.joined()
    }
}

extension Unicode.Scalar {
    var isPrintable: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: false
        default: !properties.isBidiControl
        }
    }
}
