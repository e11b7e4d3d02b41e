import Foundation
import LoopbackServer
import TestSupport
import Testing

@testable import fetch

/// URLs from files and standard input, and where files are written to.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct ListTests {
    @Test func urlsOfAFileAndOfStandardInput() async throws {
        let command = try FetchCommand()
        for path in ["/a", "/b", "/c", "/d"] { command.server.on(path, .text(path)) }
        let list = "\u{FEFF}# comment\r\n\(command.url("/b"))\r\n\n  \(command.url("/c"))  "
        try Data(list.utf8).write(to: command.directory.appending(path: "list"))
        let process = try await command.run(
            shell: "echo '\(command.url("/d"))' | \"$@\"", "-q", "-i", "list", command.url("/a"), "--input-file=-",
            "-of")
        #expect(process.end == .exited(0) && process.errors == "")
        #expect(command.files == ["f", "f/a", "f/b", "f/c", "f/d", "list"])
    }

    @Test(arguments: [[], ["-o", "d"], ["-c"]]) func anEmptyListIsNothingToDo(words: [String]) async throws {
        let command = try FetchCommand()
        let process = try await command.run(["-i", "-"] + words)
        #expect(process.end == .exited(0))
        #expect(process.output == "nothing to fetch\n" && process.errors == "")
        #expect(command.files == [])
    }

    @Test func invalidLines() async throws {
        let command = try FetchCommand()
        try Data("http://h/a\nftp://me:secret@h/b\n".utf8).write(to: command.directory.appending(path: "list"))
        let process = try await command.run("-i", "list", "--input-file=none")
        #expect(process.end == .exited(2))
        #expect(
            process.errors == """
                fetch: line 2 of 'list': 'ftp://h/b' is not an http or https URL: fetch cannot load 'ftp:'
                fetch: cannot read 'none': No such file or directory
                Try 'fetch --help'.

                """)
    }

    /// In a script, standard input may be anything.
    @Test(arguments: ["< /dev/null", "<&-", "< list"]) func theDemonstrationReadsNoInput(redirection: String)
        async throws
    {
        let command = try FetchCommand()
        try Data("http://127.0.0.1:1/x".utf8).write(to: command.directory.appending(path: "list"))
        let process = try await command.run(shell: "\"$@\" \(redirection)")
        #expect(process.end == .exited(0))
        #expect(process.output.hasPrefix("Fetching from http://127.0.0.1:"))
    }

    @Test func oneURLIsWrittenToAFile() async throws {
        let command = try FetchCommand()
        command.server.on("/a", .text("a"))
        try FileManager.default.createDirectory(
            at: command.directory.appending(path: "d"), withIntermediateDirectories: false)
        for output in ["b", "e/f", "d", "g/"] {
            let process = try await command.run("-o", output, command.url("/a"))
            #expect(process.end == .exited(0) && process.errors == "")
            #expect(process.output.hasSuffix(["d": "  d/a\n", "g/": "  g/a\n"][output] ?? "  \(output)\n"))
        }
        #expect(command.files == ["b", "d", "d/a", "e", "e/f", "g", "g/a"])
        let several = try await command.run("-o", "b", command.url("/a"), command.url("/a"))
        #expect(several.end == .exited(1))
        #expect(several.errors == "fetch: cannot make the directory 'b': Not a directory\n")
    }

    @Test func aWorkingDirectoryThatIsGone() async throws {
        let command = try FetchCommand()
        command.server.on("/gone-\(UUID())", .text("a"))
        let process = try await command.run(shell: "mkdir d; cd d; rmdir ../d; exec \"$@\"", command.url("/gone"))
        #expect(process.end == .exited(1))
        #expect(process.errors == "fetch: cannot use the working directory: No such file or directory\n")
        #expect(command.server.requests.isEmpty)
    }

    /// The version that the changelog describes.
    @Test func theVersionIsTheChangelogs() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let changelog = try String(contentsOf: root.appending(path: ".github/CHANGELOG.md"), encoding: .utf8)
        let heading = try #require(changelog.firstMatch(of: #/\n## \[?([^\]\s]+)/#))
        #expect(Help.version == "fetch \(heading.1.lowercased())")
    }

    #if canImport(FoundationNetworking)
    @Test func anIPv6Literal() {
        let error = #expect(throws: UsageError.self) { try Arguments(["http://[::1]:80/x"]) }
        #expect(
            error?.problems
                == ["'http://[::1]:80/x' has an IPv6 address, which URLSession on Linux does not support"])
    }
    #endif

    @Test func aFileThatTakesTooLong() async throws {
        let command = try FetchCommand()
        command.server.on("/a", .generated(size: 1_000_000).dripping(1_000, every: .milliseconds(50)))
        let process = try await command.run("-q", "--max-time=2", command.url("/a"))
        #expect(process.end == .exited(1))
        #expect(process.errors.contains("/a: not complete within 2.0 s"), "\(process.errors)")
        #expect(command.server.hits("/a") == 1 && command.files == [])
    }

    @Test func aFileThatIsTooSlow() async throws {
        let command = try FetchCommand()
        command.server.on("/a", .generated(size: 1_000_000).dripping(1_000, every: .milliseconds(50)))
        command.server.on("/b", .generated(size: 300_000).dripping(100_000, every: .milliseconds(50)))
        let words = ["-q", "--speed-limit=100k", "--speed-time=2"] + ["/a", "/b"].map(command.url)
        let process = try await command.run(words)
        #expect(process.end == .exited(1))
        let reason = #/^fetch: [^ ]+/a: slower than 100\.0 kB/s for 2 s, after [0-9.]+ kB\n$/#
        #expect(process.errors.contains(reason), "\(process.errors)")
        #expect(command.files == ["b"])
    }
}
