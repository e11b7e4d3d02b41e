func frame(of row: String) -> String { "\u{1B}[?7l\r\(row)\u{1B}[K\r\u{1B}[?7h" }

let erasure = "\u{1B}[?7h\r\u{1B}[K"
let erasureOnSlowTerminal = "\u{1B}[?7h\u{1B}[?2026l\r\u{1B}[K"

func update(_ text: String, _ frame: String = "", erasure: String = erasure) -> String {
    "\u{1B}[?2026h\(erasure)\(text)\n\(frame)\u{1B}[?2026l"
}
