import Foundation

/// What the command line asks for. Pure: nothing is looked at but the words.
struct Arguments: Equatable {
    /// When to draw the indicator.
    enum Indicator: String {
        case auto, always, never
    }

    /// Empty: the demonstration.
    var urls: [URL] = []
    /// `nil`: the current directory.
    var directory: String?
    var jobs = 6
    var replacesFiles = false
    /// In seconds. Whole ones, since URLSession on Linux cuts off the rest, and then half a second is none.
    var timeout = 60
    var retries = 2
    var waitsForConnectivity = false
    var indicator = Indicator.auto
    var isQuiet = false
    /// Where to write a timeline of the run.
    var timeline: String?

    static let jobsRange = 1...64
    static let timeoutRange = 1...86_400
    static let retriesRange = 0...100
}

/// What to do.
enum Command: Equatable {
    case run(Arguments)
    case help
    case version

    /// Understands the words that follow the program's name.
    ///
    /// - Throws: ``UsageError`` with everything that is wrong with them.
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

/// A command line that makes no sense.
struct UsageError: Error, Equatable {
    /// One line each.
    let problems: [String]
}
