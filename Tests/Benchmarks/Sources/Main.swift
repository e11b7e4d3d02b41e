import Foundation

@main
enum Main {
    static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        if let kind = arguments.first.flatMap(Subprocess.Kind.init) {
            Subprocess.begin(kind)
        } else {
            begin(arguments)
        }
        // Without a source or timer, `run()` would return at once, and the loop below would keep a core busy.
        RunLoop.main.add(Timer(fire: .distantFuture, interval: 0, repeats: false) { _ in }, forMode: .common)
        while true { RunLoop.main.run() }
    }

    private static func begin(_ arguments: some Sequence<String>) {
        var rows = PairRows.all + TurnRows.all + SingleRows.all
        let options: Options
        do {
            options = try Options(arguments, names: names(of: rows))
        } catch {
            report("\(error)")
            exit(2)
        }
        if options.wantsHelp {
            print(Options.help(names: names(of: rows)))
            exit(0)
        }
        if !options.only.isEmpty { rows.removeAll { !options.only.contains($0.name) } }
        Thread.detachNewThread { [rows] in
            do {
                try run(rows, options)
                exit(0)
            } catch {
                report("\(error)")
                exit(1)
            }
        }
    }

    private static func run(_ rows: [Row], _ options: Options) throws {
        let runner = options.isQuick ? Runner.quick : Runner.full
        let names = names(of: rows)
        let measurements = try runner.measure(rows) { report($0) }.sorted {
            names.firstIndex(of: $0.row.name)! < names.firstIndex(of: $1.row.name)!
        }
        let bounds = [Bound](measurements)
        print(measurements.markdown)
        if !bounds.isEmpty { print("\n\(bounds.markdown)") }
        print("\nMeasured on: \(Machine.description)")
    }

    private static func names(of rows: [Row]) -> [String] {
        rows.map(\.name).reduce(into: []) { names, name in if !names.contains(name) { names.append(name) } }
    }

    private static func report(_ message: String) {
        FileHandle.standardError.write(Data("benchmark: \(message)\n".utf8))
    }
}
