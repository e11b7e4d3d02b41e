extension TerminalIndicator {
    /// How and when an indicator draws.
    public struct Style: Sendable, Hashable {
        /// The frames of the spinner. The indicator shows them in turn, padded to the same width. An empty array
        /// selects braille patterns or, if the indicator draws only ASCII characters, `-`, `\`, `|` and `/`. For people
        /// who prefer reduced motion, pass a single frame, such as `["•"]`.
        public var frames: [String] = []

        /// The time for which each frame of the spinner is shown, limited to the range from 20 ms to 1 s. If the
        /// interval is longer than 250 ms, the indicator's closures run once per interval.
        public var interval = Duration.milliseconds(100)

        /// Whether to draw on a terminal. `.automatic` follows the environment variables that the overview of
        /// ``TerminalIndicator`` lists, and `.always` ignores them.
        public var animation = Mode.automatic

        /// Whether to use colours. `.automatic` follows, in this order, `NO_COLOR`, `FORCE_COLOR`, `CLICOLOR_FORCE`
        /// and `CLICOLOR`. If none of these variables decides, colours are used if the terminal supports them according
        /// to `TERM` and `COLORTERM`.
        public var color = Mode.automatic

        /// Whether to set the terminal's own progress bar too. `.automatic` uses the bar only on terminals that are
        /// known to have one. With `.always`, a terminal without a progress bar may show a notification instead.
        public var progress = Mode.automatic

        /// Whether to draw only ASCII characters, except in names and other texts. Even if this is `false`, the
        /// indicator does so on the Linux console, and if the locale isn't UTF-8.
        public var usesASCII = false

        /// Whether an indicator that doesn't draw, such as in CI, writes lines about the main row: when it turns on,
        /// after each further ten percent, every 30 seconds, and when it turns off, unless the last line says the same.
        /// The indicator reads the progress once a second, so short work has fewer lines. Further rows aren't reported.
        ///
        /// ```
        /// 0/4 files ...
        /// 1/4 files: 30 %, 3.1 of 10.2 MB, 1.0 MB/s, 7 s left
        /// ```
        ///
        /// There is no line for 100 %, because the program reports its result itself. While there is an idle row, the
        /// work isn't over, so nothing is written. The lines contain no escape sequences. On a terminal, no line is
        /// written while the program is in the background. If the output is blocked, the lines are written later. At
        /// exit, the program waits up to a second for delayed lines.
        public var writesPlainLines = false

        /// Creates a style. The parameters have the names, meanings and defaults of the properties.
        public init(
            frames: [String] = [], interval: Duration = .milliseconds(100), animation: Mode = .automatic,
            color: Mode = .automatic, progress: Mode = .automatic, usesASCII: Bool = false,
            writesPlainLines: Bool = false
        ) {
            (self.frames, self.interval) = (frames, interval)
            (self.animation, self.color, self.progress) = (animation, color, progress)
            (self.usesASCII, self.writesPlainLines) = (usesASCII, writesPlainLines)
        }
    }
}
