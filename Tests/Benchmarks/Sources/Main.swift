import Foundation

@main
enum Main {
    private static let rows = PairRows.all + SingleRows.all
    private static let names = rows.map(\.name).reduce(into: [String]()) { names, name in
        if !names.contains(name) { names.append(name) }
    }

    static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        if let process = arguments.first.flatMap(IdleProcess.init) {
            Thread.detachNewThread {
                process.run()
                exit(0)
            }
        } else {
            begin(arguments)
        }
        // Without a source or timer, `run()` would return at once, and the loop below would keep a core busy.
        RunLoop.main.add(Timer(fire: .distantFuture, interval: 0, repeats: false) { _ in }, forMode: .common)
        while true { RunLoop.main.run() }
    }

    private static func begin(_ arguments: some Sequence<String>) {
        var only: Set<String> = []
        var isQuick = false
        var arguments = arguments.makeIterator()
        while let argument = arguments.next() {
            switch argument {
            case "--only":
                guard let name = arguments.next(), names.contains(name) else {
                    fail(2, "--only needs the name of a row: \(names.joined(separator: ", "))")
                }
                only.insert(name)
            case "--quick": isQuick = true
            case "--help", "-h":
                print(help)
                exit(0)
            default: fail(2, "“\(argument)” is not an option; --help lists them")
            }
        }
        Thread.detachNewThread { [only, isQuick] in
            do {
                try measure(rows.filter { only.isEmpty || only.contains($0.name) }, isQuick: isQuick)
                exit(0)
            } catch {
                fail(1, "\(error)")
            }
        }
    }

    private static func measure(_ rows: [Row], isQuick: Bool) throws {
        let measurements = try Runner(isQuick: isQuick).measure(rows) { report($0) }
        let bounds = [Bound](measurements)
        print(measurements.markdown)
        if !bounds.isEmpty { print("\n\(bounds.markdown)") }
        print("\nMeasured on: \(machine)")
    }

    private static func report(_ message: String) {
        FileHandle.standardError.write(Data("benchmark: \(message)\n".utf8))
    }

    private static func fail(_ status: Int32, _ message: String) -> Never {
        report(message)
        exit(status)
    }

    private static var help: String {
        """
        usage: benchmark [--quick] [--only NAME]...

        Measures the cost of tracking beside alternatives, and prints two Markdown tables: the rows, and the
        limits of the cost. A row shows the median, minimum and maximum of its rounds, for one
        pair of calls unless its name says otherwise. Build it with `-c release`, on an otherwise idle machine.

          --quick      use fewer and shorter rounds; takes under a minute and is less exact
          --only NAME  measure this row only; may be repeated
          --help       print this

        Names:
          \(names.joined(separator: "\n  "))
        """
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
