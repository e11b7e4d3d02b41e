/// What the command line asks for.
struct Options {
    /// What was wrong with it, and what would have been right.
    struct UsageError: Error, CustomStringConvertible {
        let description: String
    }

    var json: String?
    var plot: String?
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
            case "--only":
                let name = try value(of: argument, "a name")
                guard names.contains(name) else {
                    throw UsageError(
                        description: "nothing is named “\(name)”; there are: \(names.joined(separator: ", "))")
                }
                only.insert(name)
            case "--quick": isQuick = true
            case "--help", "-h": wantsHelp = true
            default: throw UsageError(description: "“\(argument)” is no option; --help lists them")
            }
        }
    }

    static func help(names: [String]) -> String {
        """
        usage: indicator-benchmark [--quick] [--only NAME]... [--json FILE] [--plot FILE.svg]

        Measures what tracking costs, beside what else an app can do, and prints a Markdown table: of
        every row the median of its rounds, the minimum and the maximum, for one pair of calls unless
        the name says otherwise. Build it with `-c release`, and let the machine do nothing else.

          --quick          fewer and shorter rounds: under a minute, and less exact
          --only NAME      this row alone; may be repeated
          --json FILE      also write the results to FILE
          --plot FILE.svg  also draw cost against live tasks
          --help           print this

        Names:
          \(names.joined(separator: "\n  "))
        """
    }
}
