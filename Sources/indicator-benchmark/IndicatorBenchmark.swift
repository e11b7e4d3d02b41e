import Foundation

/// The program: measures on a thread of its own, while the main thread does what it does in an app.
@main
enum IndicatorBenchmark {
    private static let benchmarks = PairBenchmarks.all + PollBenchmarks.all + SingleBenchmarks.all

    /// In the order of the table, each once.
    private static let names = benchmarks.map(\.name).reduce(into: [String]()) { names, name in
        if !names.contains(name) { names.append(name) }
    }

    static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        if arguments.first == IdleProcess.argument {
            IdleProcess.begin(hasManager: arguments.dropFirst().first == "manager")
        } else {
            begin(arguments)
        }
        // A run loop with nothing to wait for would return.
        RunLoop.main.add(Timer(fire: .distantFuture, interval: 0, repeats: false) { _ in }, forMode: .common)
        while true { RunLoop.main.run() }
    }

    private static func begin(_ arguments: some Sequence<String>) {
        let options: Options
        do {
            options = try Options(arguments, names: names)
        } catch {
            complain("\(error)")
            exit(2)
        }
        if options.wantsHelp {
            print(Options.help(names: names))
            exit(0)
        }
        Thread.detachNewThread {
            do {
                try run(options)
                exit(0)
            } catch {
                complain("\(error)")
                exit(1)
            }
        }
    }

    private static func run(_ options: Options) throws {
        let chosen = benchmarks.filter { options.only.isEmpty || options.only.contains($0.name) }
        let runner = options.isQuick ? Runner.quick : Runner.full
        let results = try runner.run(chosen) { complain($0) }.sorted {
            names.firstIndex(of: $0.benchmark.name)! < names.firstIndex(of: $1.benchmark.name)!
        }
        let tables = [results.markdown, results.glance, Target.markdown(results)]
        print(tables.filter { !$0.isEmpty }.joined(separator: "\n\n"))
        print("\nMeasured on: \(Machine.description)")
        if let path = options.json { try results.json.write(to: URL(fileURLWithPath: path)) }
        if let path = options.plot {
            guard let plot = Plot(results) else { throw NothingToPlot() }
            try Data(plot.svg.utf8).write(to: URL(fileURLWithPath: path))
        }
    }

    private struct NothingToPlot: Error, CustomStringConvertible {
        var description: String { "nothing to plot: a line needs a row measured over several numbers of live tasks" }
    }

    /// Standard output is for the table.
    private static func complain(_ message: String) {
        FileHandle.standardError.write(Data("indicator-benchmark: \(message)\n".utf8))
    }
}
