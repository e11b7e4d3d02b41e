import Foundation
import TestSupport

struct TerminalRun {
    /// On systems other than Linux, `script` takes different options.
    #if os(Linux)
    static let isPossible = FileManager.default.isExecutableFile(atPath: "/usr/bin/script")
    #else
    static let isPossible = false
    #endif

    let end: WatchedProcess.End?
    let output: String

    init(
        _ command: FetchCommand, _ words: [String], shell: String = "exec \"$@\"", columns: Int = 80,
        environment: [String: String] = [:], meanwhile: @escaping @Sendable (Int32) async -> Void = { _ in }
    ) async throws {
        let variables = ["TERM": "xterm-256color", "LC_ALL": "C.UTF-8"].merging(environment) { $1 }
        let unset = [
            "CI", "TF_BUILD", "ACCESSIBLE", "NO_COLOR", "TMUX", "STY", "TERM_PROGRAM", "WT_SESSION", "VTE_VERSION",
            "KONSOLE_VERSION",
        ].filter { environment[$0] == nil }
        let arguments = ([WatchedProcess.url(of: "fetch").path] + words).map { "'\($0)'" }.joined(separator: " ")
        let line = """
            unset \(unset.joined(separator: " ")); stty cols \(columns) rows 24 -echo; echo $$ >pid; set -- \(arguments)
            \(shell)
            """
        let process = try await WatchedProcess.run(
            "/usr/bin/script", ["-qefc", line, Self.transcript], environment: variables, in: command.directory
        ) { _ in
            guard WatchedProcess.wait(until: { command.content("pid")?.isEmpty == false }) else { return }
            let pid = command.content("pid").flatMap { Int32(String(decoding: $0, as: UTF8.self).dropLast()) }
            if let pid { await meanwhile(pid) }
        }
        end = process.end
        output = process.output
        for name in ["pid", Self.transcript] {
            try? FileManager.default.removeItem(at: command.directory.appending(path: name))
        }
    }

    init(runningIn directory: URL) {
        end = nil
        output = String(
            decoding: (try? Data(contentsOf: directory.appending(path: Self.transcript))) ?? Data(), as: UTF8.self)
    }

    private static let transcript = "transcript"

    var screen: [String] { Screen(output).lines.filter { !$0.isEmpty } }

    var frames: [String] {
        output.matches(of: #/\u{1B}\[\?7l(?:\r\u{1B}\[K\u{1B}\[A)?\r ?(.*?)(?:\u{1B}\[K|\u{1B}\[J)/#).map {
            Screen.plain(String($0.1))
        }
    }
}

struct Screen {
    private(set) var lines: [String] = [""]

    init(_ written: String) {
        var grid: [[Character]] = [[]]
        var (row, column) = (0, 0)
        var rest = Array(written.unicodeScalars)[...]
        while let scalar = rest.popFirst() {
            switch scalar {
            case "\r": column = 0
            case "\n":
                row += 1
                if row == grid.count { grid.append([]) }
            case "\u{1B}":
                let sequence = Self.popSequence(&rest)
                switch sequence.last {
                case "K": grid[row].removeLast(max(0, grid[row].count - column))
                case "J":
                    grid[row].removeLast(max(0, grid[row].count - column))
                    grid.removeLast(grid.count - row - 1)
                case "A": row = max(0, row - (Int(sequence.dropFirst().dropLast()) ?? 1))
                default: break
                }
            default:
                while grid[row].count < column { grid[row].append(" ") }
                if column < grid[row].count {
                    grid[row][column] = Character(scalar)
                } else {
                    grid[row].append(Character(scalar))
                }
                column += 1
            }
        }
        lines = grid.map { String($0) }
    }

    static func plain(_ text: String) -> String { Screen(text).lines.joined(separator: "\n") }

    private static func popSequence(_ rest: inout ArraySlice<Unicode.Scalar>) -> String {
        var sequence = String.UnicodeScalarView()
        let isString = rest.first == "]"
        while let scalar = rest.popFirst() {
            sequence.append(scalar)
            let isFinal = isString ? scalar == "\\" : scalar != "[" && ("@"..."~").contains(scalar)
            if isFinal { break }
        }
        return String(sequence)
    }
}
