/// An option of the command line.
struct Option: Sendable {
    enum Effect: Sendable {
        case flag(@Sendable (inout Arguments) -> Void)
        case value(@Sendable (inout Arguments, String) throws -> Void)
        /// Takes precedence over everything else.
        case command(Command)
    }

    let name: String
    let letter: Character?
    let effect: Effect

    init(_ name: String, letter: Character? = nil, _ effect: Effect) {
        (self.name, self.letter, self.effect) = (name, letter, effect)
    }

    var takesValue: Bool { if case .value = effect { true } else { false } }

    static let all = [
        Option("output", letter: "o", .value { $0.output = try Arguments.Output($1) }),
        Option("input-file", letter: "i", .value { $0.lists.append(try file($1)) }),
        Option("force", .flag { $0.replacesFiles = true }),
        Option("continue", letter: "c", .flag { $0.continuesFiles = true }),
        Option("max-size", .value { $0.maximumSize = try bytes($1) }),
        Option("jobs", letter: "j", .value { $0.jobs = try number($1, Arguments.jobsRange) }),
        Option("header", letter: "H", .value { $0.headers.append(try Arguments.Header(field: $1)) }),
        Option("user-agent", letter: "A", .value { $0.userAgent = try userAgent($1) }),
        Option("timeout", .value { $0.timeout = try number($1, Arguments.timeRange) }),
        Option("max-time", .value { $0.maximumTime = try number($1, Arguments.timeRange) }),
        Option("speed-limit", .value { $0.minimumSpeed = try bytes($1) }),
        Option("speed-time", .value { $0.speedTime = try number($1, Arguments.timeRange) }),
        Option("retries", .value { $0.retries = try number($1, Arguments.retriesRange) }),
        Option("wait-for-connectivity", .flag { $0.waitsForConnectivity = true }),
        Option("indicator", .value { $0.indicator = try indicator($1) }),
        Option("progress-rows", .value { $0.progressRows = try number($1, Arguments.progressRowsRange) }),
        Option("timeline", .value { $0.timeline = try file($1) }),
        Option("quiet", letter: "q", .flag { $0.isQuiet = true }),
        Option("help", letter: "h", .command(.help)),
        Option("version", .command(.version)),
    ]

    private static func number(_ text: String, _ range: ClosedRange<Int>) throws(RefusedValue) -> Int {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(text), range.contains(number)
        else {
            throw RefusedValue(
                problem: "needs a whole number from \(range.lowerBound) to \(range.upperBound), not \(text.quotedWord)")
        }
        return number
    }

    /// Parses `500000`, `500k`, `20MB` and `4GiB`: `k` is 1000 and `Ki` is 1024, in upper or lower case.
    private static func bytes(_ text: String) throws(RefusedValue) -> Int {
        let digits = text.utf8.prefix { (0x30...0x39).contains($0) }
        let suffix = text[digits.endIndex...].lowercased()
        let unit = suffix.hasSuffix("b") ? suffix.dropLast() : suffix[...]
        let exponent = ["", "k", "m", "g", "t"].firstIndex(of: unit.hasSuffix("i") ? unit.dropLast() : unit)
        let factor = exponent.map { exponent in
            repeatElement(unit.hasSuffix("i") ? 1024 : 1000, count: exponent).reduce(1, *)
        }
        let product = Int(Substring(digits)).flatMap { factor.map($0.multipliedReportingOverflow) }
        guard unit != "i", let product, product.partialValue > 0, !product.overflow else {
            throw RefusedValue(
                problem: "needs a number of bytes such as 500000, 500k, 20M or 4G, not \(text.quotedWord)")
        }
        return product.partialValue
    }

    private static func file(_ text: String) throws(RefusedValue) -> String {
        if text.isEmpty { throw RefusedValue(problem: "needs a file, not ''") }
        return text
    }

    private static func userAgent(_ text: String) throws(RefusedValue) -> String {
        guard Arguments.Header.isValue(text) else {
            throw RefusedValue(problem: "needs a name without control characters, such as 'fetch/1.0'")
        }
        return text
    }

    private static func indicator(_ text: String) throws(RefusedValue) -> Arguments.Indicator {
        guard let indicator = Arguments.Indicator(rawValue: text) else {
            throw RefusedValue(problem: "needs auto, always or never, not \(text.quotedWord)")
        }
        return indicator
    }
}
