import Foundation
import NetworkIndicatorTerminal

/// The arguments of the command line.
struct Arguments: Equatable {
    /// A header field of every request.
    struct Header: Equatable {
        var name: String
        var value: String
    }

    /// The text that the program prints instead of fetching files.
    var text: String?
    var urls: [URL] = []
    /// The files that URLs are read from.
    var lists: [String] = []
    /// A directory, the file of a single URL, or `-` for standard output. `nil` for the current directory.
    var output: String?
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
    /// When to draw the indicator.
    var indicator = TerminalIndicator.Mode.auto
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

    /// Whether standard output receives the file.
    var isStreamed: Bool { output == "-" }

    /// Whether a part of a file may stay for a later run.
    var keepsParts: Bool { !isDemonstration && !isStreamed }

    /// The paths of the files, in the order of the URLs. This examines the file system.
    var paths: [String] {
        guard let output, !isStreamed else { return FileName.names(for: urls) }
        let isFile = urls.count == 1 && lists.isEmpty && !output.hasSuffix("/") && !Directory.exists(output)
        return isFile ? [output] : FileName.paths(for: urls, in: output)
    }

    /// The problems of combinations of options.
    var contradictions: [String] {
        var problems: [String] = []
        if isDemonstration {
            // The demonstration uses its own directory.
            if output != nil { problems.append("'--output' needs a URL") }
            if replacesFiles { problems.append("'--force' needs a URL") }
            if continuesFiles { problems.append("'--continue' needs a URL") }
        } else if isStreamed {
            if urls.count > 1 { problems.append("'--output -' needs exactly one URL, not \(urls.count)") }
            if continuesFiles { problems.append("'--continue' needs a file, and '--output -' writes none") }
        } else if let timeline, paths.map(Self.standard).contains(Self.standard(timeline)) {
            problems.append(
                "'--timeline' needs a file of its own, not \(timeline.quotedWord), which a download is written to")
        }
        return problems
    }

    private static func standard(_ path: String) -> String { URL(fileURLWithPath: path).standardizedFileURL.path }
}
