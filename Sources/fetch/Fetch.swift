import Foundation

@main
enum Fetch {
    @MainActor
    static func main() async {
        // If a standard file descriptor were closed, the next opened file would get its number, and could receive the
        // program's output. This loop opens `/dev/null` until all standard file descriptors are open.
        while case 0...STDERR_FILENO = open("/dev/null", O_RDONLY) {}
        do {
            let arguments = try Arguments(Array(CommandLine.arguments.dropFirst()))
            if let text = arguments.text { return print(text) }
            // `setenv` is safe only before the program starts other threads.
            if arguments.urls.isEmpty { setenv("no_proxy", "127.0.0.1", 1) }
            await Interruption().run { await Run(arguments, $0).perform() }
        } catch {
            FileHandle.standardError.write(Data("fetch: \(error.problem.printable)\nTry 'fetch --help'.\n".utf8))
            exit(2)
        }
    }
}
