import Foundation
import LoopbackServer
import NetworkIndicatorTransfers
import TestSupport
import Testing

@testable import fetch

/// Directories, temporary files and closed descriptors.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct DirectoryTests {
    /// The temporary file of a refused response is removed before the next download begins.
    @Test(arguments: ["", "d"]) func nothingIsLeftOfARefusedResponse(directory: String) async throws {
        let command = try FetchCommand()
        let place = command.directory.path
        command.server.on("/a", .status(503))
        command.server.on("/b") { _ in
            .text((FileManager.default.subpaths(atPath: place) ?? []).filter { $0.contains(".a.") }.joined())
        }
        let words = directory.isEmpty ? [] : ["-o", directory]
        let process = try await command.run(words + ["-j1", "--retries=0"] + ["/a", "/b"].map(command.url))
        #expect(process.end == .exited(1))
        #expect(command.content(directory.isEmpty ? "b" : "d/b") == Data())
    }

    @Test func theTemporaryDirectoryIsTheEnvironments() throws {
        let command = try FetchCommand()
        let place = command.directory.path
        let directory = try Directory.makeTemporary(["TMPDIR": place])
        #expect(command.files.map { "\(place)/\($0)" } == [directory])
        for environment in [["TMPDIR": ""], [:]] {
            let directory = try Directory.makeTemporary(environment)
            #expect(directory.hasPrefix(NSTemporaryDirectory()))
            try FileManager.default.removeItem(atPath: directory)
        }
    }

    /// The shell doesn't expand `--output=~/`.
    @Test func aDirectoryNamedTilde() async throws {
        let command = try FetchCommand()
        command.server.on("/a", .text("a"))
        let process = try await command.run("--output=~/", command.url("/a"))
        #expect(process.end == .exited(0))
        #expect(process.errors == "")
        #expect(command.files == ["~", "~/a"])
    }

    /// The timeline takes more than the kilobyte that a file may have here.
    @Test(.disabled(if: FetchCommand.isThreadSanitized)) func aTimelineWithoutRoomIsStillReadable() async throws {
        let command = try FetchCommand()
        command.server.on("/a", .text("a"))
        let urls = (0..<5).map { _ in command.url("/a") }
        let process = try await command.run(
            shell: "trap '' XFSZ; ulimit -f 2; exec \"$@\"", arguments: ["-q", "--timeline=trace"] + urls)
        #expect(process.end == .exited(1))
        #expect(process.errors.hasPrefix("fetch: cannot write the timeline to "))
        let trace = try #require(command.content("trace"))
        #expect((try JSONSerialization.jsonObject(with: trace) as? [Any])?.isEmpty == false)
    }

    /// A slash and a combining mark are one character.
    @Test func namesThatBeginWithACombiningMark() async throws {
        let command = try FetchCommand()
        command.server.on("/%CC%88x", .text("a"))
        let url = command.url("/") + "%CC%88x"
        let first = try await command.run("-o", "new/", url)
        #expect(first.end == .exited(0) && first.errors == "")
        let second = try await command.run("-o", "up/\u{308}d/\u{308}f", url)
        #expect(second.end == .exited(0) && second.errors == "")
        #expect(command.files == ["new", "new/\u{308}x", "up", "up/\u{308}d", "up/\u{308}d/\u{308}f"])
        let file = try #require(URL(string: url))
        let transfer = Transfer(
            file, path: "/\u{308}x", in: "/d", meter: TransferMeter(), options: DownloadOptions())
        #expect(transfer.destination.path == "/\u{308}x")
    }

    @Test func theTimelineMayBeInANewDirectory() async throws {
        let command = try FetchCommand()
        command.server.on("/a", .text("a"))
        let process = try await command.run("--output=d/", "--timeline=d/trace", command.url("/a"))
        #expect(process.end == .exited(0))
        #expect(command.files == ["d", "d/a", "d/trace"])
    }

    /// Another file must not get the descriptor of standard output.
    @Test func standardOutputThatIsClosed() async throws {
        let command = try FetchCommand()
        command.server.on("/a", .text("a"))
        let process = try await command.run(shell: "\"$@\" >&-", command.url("/a"))
        #expect(process.end == .exited(1))
        #expect(process.errors == "fetch: cannot write to standard output: \(String(cString: strerror(EBADF)))\n")
        #expect(command.content("a") == Data("a".utf8))
    }

    /// Errors that can't be written don't change the exit status. Help or a version that can't be written makes it 1.
    @Test(
        arguments: [
            ("\"$@\" --nonsense 2>&-", 2), ("\"$@\" --nonsense 2>/dev/full", 2),
            ("\"$@\" -o /dev/null/x http://127.0.0.1:1/ 2>/dev/full", 1),
            ("\"$@\" --help >&-", 1), ("\"$@\" --version >/dev/full", 1),
        ].filter { hasDevFull || !$0.0.contains("/dev/full") })
    func linesThatCannotBeWritten(script: String, status: Int32) async throws {
        let process = try await FetchCommand().run(shell: script)
        #expect(process.end == .exited(status))
        #expect(process.errors.isEmpty == script.contains("2>"))
    }
}
