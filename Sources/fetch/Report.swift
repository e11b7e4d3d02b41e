import NetworkIndicator
import NetworkIndicatorTracing

/// Says what becomes of the downloads. Any thread.
final class Report: Sendable {
    private let tally: Tally
    private let console: Console
    private let isQuiet: Bool
    private let timeline: TimelineRecorder?
    /// Of downloads between two attempts, by their names.
    private let waits = Lock<[String: TimelineRecorder.Wait?]>([:])

    /// - Parameter timeline: Where attempts are recorded already: waits are added.
    init(tally: Tally, console: Console, isQuiet: Bool, timeline: TimelineRecorder?) {
        self.tally = tally
        self.console = console
        self.isQuiet = isQuiet
        self.timeline = timeline
    }

    func began() { tally.began() }

    /// Tells of waits. Each ends with the next attempt.
    func note(_ event: DownloadEvent, of download: Download) {
        if let wait = event.wait {
            tally.wait()
            let recorded = timeline?.beginWait(wait, label: download.label)
            waits.withLock { $0[download.path] = .some(recorded) }
            if !isQuiet, event.isNews { console.printError("\(download.displayedURL): \(wait)") }
        } else if let recorded = waits.withLock({ $0.removeValue(forKey: download.path) }) {
            recorded?.end()
            tally.resume()
        }
    }

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
