/// A line of output. The text is made printable, and styles may add colours.
struct Line: ExpressibleByStringLiteral {
    private(set) var text = ""

    init() {}

    init(_ text: String) { append(text) }

    init(stringLiteral text: String) { self.init(text) }

    /// Appends a text.
    ///
    /// - Parameter style: Adds colours to the text.
    mutating func append(_ text: String, _ style: (String) -> String = { $0 }) {
        self.text += style(text.printable)
    }

    /// Appends a mark that may be coloured.
    mutating func append(mark: String) { text += mark }
}
