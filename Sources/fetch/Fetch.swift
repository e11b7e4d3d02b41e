import Foundation

/// Downloads files, several at once, and shows their progress on the terminal.
@main
enum Fetch {
    @MainActor
    static func main() async {
        // If a standard descriptor is closed, the next opened file would get its number, and would receive the
        // program's output. The replacement is opened for reading only, so that writing still fails.
        while case 0...STDERR_FILENO = open("/dev/null", O_RDONLY) {}
        do {
            let arguments = try Arguments(Array(CommandLine.arguments.dropFirst()))
            if let text = arguments.text { return print(text) }
            // The demonstration uses no proxy. `setenv` is safe only before other threads start.
            if arguments.urls.isEmpty { setenv("no_proxy", "127.0.0.1", 1) }
            await Interruption().run { await Run(arguments, $0).perform() }
        } catch {
            FileHandle.standardError.write(Data("fetch: \(error.problem.printable)\n\(Help.hint)\n".utf8))
            exit(2)
        }
    }
}
