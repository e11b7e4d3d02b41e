extension String {
    /// The text with escaped unprintable characters, and without the user names and passwords of URLs.
    ///
    /// A control character could move the cursor or set the terminal's title. For example, ESC becomes `\u{1B}`. Use
    /// this property for every line that contains text from outside the program.
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
