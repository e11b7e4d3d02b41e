/// The command line.
struct Options {
    struct UsageError: Error, CustomStringConvertible {
        let description: String
    }

    var json: String?
    var plot: String?
    var before: String?
    var only: Set<String> = []
    var isQuick = false
    var wantsHelp = false

    init(_ arguments: some Sequence<String>, names: [String]) throws {
        var arguments = arguments.makeIterator()
        func value(of option: String, _ meaning: String) throws -> String {
            guard let value = arguments.next(), !value.isEmpty, !value.hasPrefix("--") else {
                throw UsageError(description: "\(option) needs \(meaning) after it")
            }
            return value
        }
        while let argument = arguments.next() {
            switch argument {
            case "--json": json = try value(of: argument, "the path of a file")
            case "--plot": plot = try value(of: argument, "the path of a file")
            case "--before": before = try value(of: argument, "the path of a program")
            case "--only":
                let name = try value(of: argument, "a name")
                guard names.contains(name) else {
                    throw UsageError(
                        description: "no row is named “\(name)”; the names are: \(names.joined(separator: ", "))")
                }
                only.insert(name)
            case "--quick": isQuick = true
            case "--help", "-h": wantsHelp = true
            default: throw UsageError(description: "“\(argument)” is not an option; --help lists them")
            }
        }
    }

    static func help(names: [String]) -> String {
        """
        usage: benchmark [--quick] [--only NAME]... [--json FILE] [--plot FILE.svg] [--before PROGRAM]

        Measures the cost of tracking beside alternatives, and prints two Markdown tables: the rows, and the
        limits of the cost. A row shows the median, minimum and maximum of its rounds, for one
        pair of calls unless its name says otherwise. Build it with `-c release`, on an otherwise idle machine.

          --quick           use fewer and shorter rounds; takes under a minute and is less exact
          --only NAME       measure this row only; may be repeated
          --json FILE       also write the results to FILE
          --plot FILE.svg   also draw cost against live tasks
          --before PROGRAM  also compare with PROGRAM, this benchmark built against another version;
                            Tests/Benchmarks/compare builds and passes one
          --help            print this

        Names:
          \(names.joined(separator: "\n  "))
        """
    }
}
