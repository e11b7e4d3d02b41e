extension String {
    /// The text in a safe form for a terminal: without passwords, and with escaped control characters.
    ///
    /// A control character could move the cursor or set a title, and a directional one could reorder the text around it.
    /// ESC becomes `\x1b`, U+202E becomes `\u{202e}`. Every line with text from outside the program passes through here.
    var printable: String {
        // Most texts have nothing to change. User info ends with an `@`.
        if utf8.allSatisfy({ (0x20...0x7E).contains($0) && $0 != UInt8(ascii: "@") }) { return self }
        var result = ""
        for scalar in withoutUserInfo.unicodeScalars {
            if scalar.isPrintable { result.unicodeScalars.append(scalar) } else { result += scalar.spelledOut }
        }
        return result
    }

    /// The text with the name and password of each URL in it removed.
    private var withoutUserInfo: String {
        // This searches scalars, because a slash with a combining mark is another character.
        replacing(/:\/\/[^\/?# \n]*@/.matchingSemantics(.unicodeScalar), with: "://")
    }

    /// A word of the command line in quotation marks, without a possible password.
    ///
    /// Everything before the last `@`, except a scheme, is replaced by `…`. A malformed URL can have its password in an
    /// unusual place, as in `me:pass/word@host` and `http:/me:password@host`.
    var quotedWord: String {
        guard let at = unicodeScalars.lastIndex(of: "@") else { return "'\(self)'" }
        let name = unicodeScalars.prefix { ("a"..."z").contains($0) || ("A"..."Z").contains($0) }
        let scheme = self[name.endIndex...].hasPrefix("://") ? "\(Substring(name))://" : ""
        return "'\(scheme)…\(self[at...])'"
    }
}

extension Unicode.Scalar {
    /// Whether the scalar neither controls a terminal nor changes the direction of text.
    var isPrintable: Bool {
        switch self {
        case "\u{200E}", "\u{200F}", "\u{061C}", "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}": false
        default:
            switch properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: false
            default: true
            }
        }
    }

    fileprivate var spelledOut: String {
        let digits = String(value, radix: 16)
        return value < 0x100 ? "\\x" + (digits.count < 2 ? "0" : "") + digits : "\\u{\(digits)}"
    }
}
