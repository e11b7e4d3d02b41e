/// Says what becomes of the downloads. Any thread.
final class Report: Sendable {
    private let tally: Tally
    private let console: Console
    private let isQuiet: Bool

    init(tally: Tally, console: Console, isQuiet: Bool) {
        self.tally = tally
        self.console = console
        self.isQuiet = isQuiet
    }

    func began() { tally.began() }

    func ended(_ download: Download, _ result: Result<Download.Outcome, DownloadError>, time: Duration) {
        tally.ended(result)
        switch result {
        case .success(let outcome): say(Format.line(outcome, time: time, path: download.path))
        case .failure(let error): console.printError("\(download.displayedURL): \(error)")
        }
    }

    /// Prints the summary.
    func end(time: Duration) { say(tally.numbers.summary(time: time)) }

    /// Prints a line, unless nothing but errors is wanted.
    func say(_ line: String) {
        if !isQuiet { console.print(line) }
    }
}
