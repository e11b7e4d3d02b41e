struct Options {
    struct UsageError: Error, CustomStringConvertible {
        let description: String
    }

    var only: Set<String> = []
    var isQuick = false
    var wantsHelp = false

    init(_ arguments: some Sequence<String>, names: [String]) throws {
        var arguments = arguments.makeIterator()
        while let argument = arguments.next() {
            switch argument {
            case "--only":
                guard let name = arguments.next(), names.contains(name) else {
                    throw UsageError(description: "--only needs the name of a row: \(names.joined(separator: ", "))")
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
}
