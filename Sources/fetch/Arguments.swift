import Foundation

/// The arguments of the command line.
struct Arguments: Equatable {
    /// When to draw the indicator.
    enum Indicator: String {
        case auto, always, never
    }

    /// Where files are written to.
    enum Output: Equatable {
        /// A directory, or the file of a single URL.
        case path(String)
        case standardOutput
    }

    /// A header field of every request.
    struct Header: Equatable {
        var name: String
        var value: String
    }

    var urls: [URL] = []
    /// The files that URLs are read from.
    var lists: [String] = []
    /// `nil` for the current directory.
    var output: Output?
    var jobs = 6
    var replacesFiles = false
    var continuesFiles = false
    /// The limit in bytes.
    var maximumSize: Int?
    var headers: [Header] = []
    var userAgent = "fetch"
    /// In whole seconds, because the library rounds timeouts up to whole seconds on Linux.
    var timeout = 60
    /// The limit for a download with all its attempts, in seconds.
    var maximumTime: Int?
    /// A download that is slower than this, in bytes per second, fails after ``speedTime`` seconds.
    var minimumSpeed: Int?
    var speedTime = 30
    var retries = 2
    var waitsForConnectivity = false
    var indicator = Indicator.auto
    /// The number of transfers that have a row below the indicator.
    var progressRows = 0
    var isQuiet = false
    /// The file that a timeline of the run is written to.
    var timeline: String?

    static let jobsRange = 1...64
    static let timeRange = 1...86_400
    static let retriesRange = 0...100
    static let progressRowsRange = 0...20

    /// Whether the program serves the files itself.
    var isDemonstration: Bool { urls.isEmpty && lists.isEmpty }

    /// Whether a part of a file may stay for a later run.
    var keepsParts: Bool { !isDemonstration && output != .standardOutput }

    /// The paths of the files, in the order of the URLs. This examines the file system.
    var paths: [String] {
        guard case .path(let path) = output else { return FileName.names(for: urls) }
        let isFile = urls.count == 1 && lists.isEmpty && !path.hasSuffix("/") && !Directory.exists(path)
        return isFile ? [path] : FileName.paths(for: urls, in: path)
    }
}

/// What the program does.
enum Command: Equatable {
    case run(Arguments)
    case help
    case version

    /// Parses the words that follow the program's name, and reads the lists that they name.
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
