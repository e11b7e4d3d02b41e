import Foundation
import NetworkIndicatorTerminal

/// An option of the command line.
struct Option: Sendable {
    enum Effect: Sendable {
        case flag(@Sendable (inout Arguments) -> Void)
        case value(@Sendable (inout Arguments, String) throws -> Void)
    }

    let name: String
    let letter: Character?
    let effect: Effect

    init(_ name: String, letter: Character? = nil, _ effect: Effect) {
        (self.name, self.letter, self.effect) = (name, letter, effect)
    }

    /// Whether a word such as `--output` or `-o` names this option.
    func isNamed(_ word: String) -> Bool { word == "--\(name)" || letter.map { word == "-\($0)" } ?? false }

    static let all = [
        Option(
            "output", letter: "o",
            .value { $0.output = try path($1, "a directory or a file, or '-' for standard output,") }),
        Option("input-file", letter: "i", .value { $0.lists.append(try path($1, "a file,")) }),
        Option("force", .flag { $0.replacesFiles = true }),
        Option("continue", letter: "c", .flag { $0.continuesFiles = true }),
        Option("max-size", .value { $0.maximumSize = try bytes($1) }),
        Option("jobs", letter: "j", .value { $0.jobs = try number($1, Arguments.jobsRange) }),
        Option("header", letter: "H", .value { $0.headers.append(try header($1)) }),
        Option("user-agent", letter: "A", .value { $0.userAgent = try userAgent($1) }),
        Option("timeout", .value { $0.timeout = try number($1, Arguments.timeRange) }),
        Option("max-time", .value { $0.maximumTime = try number($1, Arguments.timeRange) }),
        Option("speed-limit", .value { $0.minimumSpeed = try bytes($1) }),
        Option("speed-time", .value { $0.speedTime = try number($1, Arguments.timeRange) }),
        Option("retries", .value { $0.retries = try number($1, Arguments.retriesRange) }),
        Option("wait-for-connectivity", .flag { $0.waitsForConnectivity = true }),
        Option("indicator", .value { $0.indicator = try indicator($1) }),
        Option("progress-rows", .value { $0.progressRows = try number($1, Arguments.progressRowsRange) }),
        Option("timeline", .value { $0.timeline = try path($1, "a file,") }),
        Option("quiet", letter: "q", .flag { $0.isQuiet = true }),
        Option("help", letter: "h", .flag { $0.text = $0.text ?? Help.text }),
        Option("version", .flag { $0.text = $0.text ?? Help.version }),
    ]
}

/// The values of options.
extension Option {
    private static func number(_ text: String, _ range: ClosedRange<Int>) throws(UsageError) -> Int {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(text), range.contains(number)
        else {
            throw UsageError(
                "needs a whole number from \(range.lowerBound) to \(range.upperBound), not \(text.quotedWord)")
        }
        return number
    }

    private static let units = [
        "": 1, "k": 1_000, "m": 1_000_000, "g": 1_000_000_000, "t": 1_000_000_000_000,
        "ki": 1 << 10, "mi": 1 << 20, "gi": 1 << 30, "ti": 1 << 40,
    ]

    /// Parses `500000`, `500k`, `20MB` and `4GiB`: `k` is 1000 and `Ki` is 1024, in upper or lower case.
    private static func bytes(_ text: String) throws(UsageError) -> Int {
        let digits = text.utf8.prefix { (0x30...0x39).contains($0) }
        var unit = text[digits.endIndex...].lowercased()
        if unit.hasSuffix("b") { unit.removeLast() }
        let product = Int(Substring(digits))?.multipliedReportingOverflow(by: units[unit] ?? 0)
        guard let product, product.partialValue > 0, !product.overflow else {
            throw UsageError("needs a number of bytes such as 500000, 500k, 20M or 4G, not \(text.quotedWord)")
        }
        return product.partialValue
    }

    private static func path(_ text: String, _ kind: String) throws(UsageError) -> String {
        if text.isEmpty { throw UsageError("needs \(kind) not ''") }
        return text
    }

    private static func userAgent(_ text: String) throws(UsageError) -> String {
        guard isFieldValue(text) else {
            throw UsageError("needs a name without control characters, such as 'fetch/1.0'")
        }
        return text
    }

    private static func indicator(_ text: String) throws(UsageError) -> TerminalIndicator.Mode {
        let modes: [String: TerminalIndicator.Mode] = ["auto": .auto, "always": .always, "never": .never]
        guard let mode = modes[text] else {
            throw UsageError("needs auto, always or never, not \(text.quotedWord)")
        }
        return mode
    }

    /// Parses `Name: value`. An error never repeats the value, which may be a password.
    private static func header(_ field: String) throws(UsageError) -> Arguments.Header {
        // A name is a token (RFC 9110, 5.6.2).
        guard let match = field.firstMatch(of: /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+):/) else {
            throw UsageError("needs 'Name: value'")
        }
        let (name, value) = (String(match.1), field[match.range.upperBound...].trimmingCharacters(in: .whitespaces))
        if reservedFields.contains(name.lowercased()) {
            throw UsageError("cannot set \(name.quotedWord), which is reserved")
        }
        if !isFieldValue(value) {
            throw UsageError("needs a value without control characters after '\(name):'")
        }
        return Arguments.Header(name: name, value: value)
    }

    /// The fields that delimit messages, or select parts of files.
    private static let reservedFields: Set<String> = [
        "connection", "content-length", "if-range", "range", "te", "trailer", "transfer-encoding", "upgrade",
    ]

    /// Whether a text can be a field's value. A line break would begin another field.
    private static func isFieldValue(_ text: String) -> Bool {
        !text.isEmpty && text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }
}
