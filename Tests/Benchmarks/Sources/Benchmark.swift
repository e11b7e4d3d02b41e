import Foundation

/// Measures what tracking costs, and prints a Markdown table of the bounds. The program fails if it misses a bound.
///
/// Build it with `-c release`, and run it on an otherwise idle machine. With `--quick`, it takes a few seconds and
/// checks only the bounds of counts, because its times are inexact.
@main
enum Benchmark {
    static let isQuick = CommandLine.arguments.dropFirst().contains("--quick")

    static func main() {
        Thread.detachNewThread { exit(measure() ? 0 : 1) }
        // Without a source or timer, `run()` would return at once, and the loop below would keep a core busy.
        RunLoop.main.add(Timer(fire: .distantFuture, interval: 0, repeats: false) { _ in }, forMode: .common)
        while true { RunLoop.main.run() }
    }

    private static func measure() -> Bool {
        print("| bound | limit | measured | |\n|---|--:|--:|---|")
        var isMet = true
        for bound in Bound.all {
            let value = bound.measure()
            let result = value <= bound.limit ? "met" : "missed"
            if result == "missed", bound.isCount || !isQuick { isMet = false }
            print("| \(bound.name) | ≤ \(format(bound.limit)) | \(format(value)) | \(result) |")
        }
        print("\nMeasured on: \(machine)")
        return isMet
    }

    private static func format(_ value: Double) -> String {
        value >= 100 || value == value.rounded() ? String(format: "%.0f", value) : String(format: "%.2f", value)
    }

    private static var machine: String {
        let info = ProcessInfo.processInfo
        let lines = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8))?.split(separator: "\n") ?? []
        let processor = lines.first { $0.hasPrefix("model name") }?.split(separator: ":").last
        let memory = String(format: "%.0f GB", Double(info.physicalMemory) / 1e9)
        return "\(processor?.trimmingCharacters(in: .whitespaces) ?? "unknown processor"), "
            + "\(info.activeProcessorCount) cores, \(memory), \(info.operatingSystemVersionString)"
    }
}

struct Bound {
    let name: String
    let limit: Double
    var isCount = false
    let measure: () -> Double

    /// The first measurement needs a process without a manager.
    static var all: [Bound] {
        [
            Bound(
                name: "wake-ups by an idle manager in 10 s", limit: 0, isCount: true, measure: wakeUpsOfAnIdleManager),
            Bound(name: "locks of a weak task of 0.2 s", limit: 28, isCount: true) {
                locksOfAWeakTask(lasting: .milliseconds(200))
            },
            Bound(name: "locks of a weak task of 0.4 s", limit: 36, isCount: true) {
                locksOfAWeakTask(lasting: .milliseconds(400))
            },
            Bound(name: "weak pair, 1,000,000 live : 100 live", limit: 3) {
                ratio(weakPairs(live: 1_000_000), weakPairs(live: 100))
            },
            Bound(name: "opaque pair : pair of a locked set, 100 live", limit: 0.9) {
                ratio(opaquePairs(live: 100), setPairs(live: 100))
            },
            Bound(name: "poll, 1,000,000 live, ms", limit: 0.5) {
                median(of: 7) { pollTime(live: 1_000_000) * 1e3 }
            },
            Bound(name: "turn after 10,000 deallocations, ms", limit: 2) {
                median(of: 7) { turnAfterDeallocations(of: 10_000) * 1e3 }
            },
        ]
    }
}
