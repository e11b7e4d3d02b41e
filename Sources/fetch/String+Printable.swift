extension String {
    /// The text without the passwords of URLs, and with escaped control characters.
    ///
    /// A control character could move the cursor or set a title. ESC becomes `\u{1B}`. Every line with text from outside
    /// the program passes through here.
    var printable: String {
        let text = replacing(/:\/\/[^\/?# \n]*@/.matchingSemantics(.unicodeScalar), with: "://")
        return text.unicodeScalars.map { $0.isPrintable ? String($0) : $0.escaped(asASCII: true) }.joined()
    }
}

extension Unicode.Scalar {
    /// Whether the scalar neither controls a terminal nor changes the direction of text.
    var isPrintable: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: false
        default: !properties.isBidiControl
        }
    }
}
