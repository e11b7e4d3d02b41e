import Foundation

/// The arguments of the command line.
struct Arguments: Equatable {
    /// When to draw the indicator.
    enum Indicator: String {
        case auto, always, never
    }

    /// Where files are written to.
    enum Output: Equatable {
        case directory(String)
        case standardOutput
    }

    /// A header field of every request.
    struct Header: Equatable {
        var name: String
        var value: String
    }

    /// Empty for the demonstration.
    var urls: [URL] = []
    /// `nil` for the current directory.
    var output: Output?
    var jobs = 6
    var replacesFiles = false
    var continuesFiles = false
    /// The limit in bytes.
    var maximumSize: Int?
    var headers: [Header] = []
    var userAgent = "fetch/1.0"
    /// In whole seconds, because the library rounds timeouts up to whole seconds on Linux.
    var timeout = 60
    var retries = 2
    var waitsForConnectivity = false
    var indicator = Indicator.auto
    /// The number of transfers that have a row below the indicator.
    var progressRows = 0
    var isQuiet = false
    /// The file that a timeline of the run is written to.
    var timeline: String?

    static let jobsRange = 1...64
    static let timeoutRange = 1...86_400
    static let retriesRange = 0...100
    static let progressRowsRange = 0...20

    var directory: String? {
        if case .directory(let path) = output { path } else { nil }
    }
}

/// What the program does.
enum Command: Equatable {
    case run(Arguments)
    case help
    case version

    /// Parses the words that follow the program's name.
    ///
    /// - Throws: ``UsageError`` with every problem found.
    init(_ words: [String]) throws(UsageError) {
        var parser = ArgumentParser()
        parser.parse(words)
        if let special = parser.special {
            self = special
        } else if parser.problems.isEmpty {
            self = .run(parser.arguments)
        } else {
            throw UsageError(problems: parser.problems)
        }
    }
}

/// The error of an invalid command line.
struct UsageError: Error, Equatable {
    /// One line for each problem. ``Line`` makes them printable.
    let problems: [String]
}
