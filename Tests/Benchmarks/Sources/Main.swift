import Foundation

/// Measures the cost of tracking beside alternatives, and prints two Markdown tables: the rows, and the limits of the
/// cost. A row shows the median, minimum and maximum of its rounds, for one pair of calls unless its name says
/// otherwise.
///
/// Build it with `-c release`, and run it on an otherwise idle machine. With `--quick`, it uses fewer and shorter
/// rounds, takes under a minute, and is less exact.
@main
enum Main {
    static func main() {
        let arguments = Array(CommandLine.arguments.dropFirst())
        Thread.detachNewThread {
            do {
                if let process = arguments.first.flatMap(IdleProcess.init) {
                    process.run()
                } else {
                    try measure(isQuick: arguments == ["--quick"])
                }
                exit(0)
            } catch {
                report("\(error)")
                exit(1)
            }
        }
        // Without a source or timer, `run()` would return at once, and the loop below would keep a core busy.
        RunLoop.main.add(Timer(fire: .distantFuture, interval: 0, repeats: false) { _ in }, forMode: .common)
        while true { RunLoop.main.run() }
    }

    private static func measure(isQuick: Bool) throws {
        let measurements = try Runner(isQuick: isQuick).measure(PairRows.all + SingleRows.all) { report($0) }
        print("\(measurements.markdown)\n\n\([Bound](measurements).markdown)\n\nMeasured on: \(machine)")
    }

    private static func report(_ message: String) {
        FileHandle.standardError.write(Data("benchmark: \(message)\n".utf8))
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
