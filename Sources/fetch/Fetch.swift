import Foundation

/// Downloads files, several at once, while an indicator on the terminal shows that the network is in use.
@main
enum Fetch {
    static func main() {
        // Whoever starts the program with one of these closed must not find its lines in what is opened next, be that a
        // file. Not for writing: what is printed is still known to be lost.
        while case 0...STDERR_FILENO = open("/dev/null", O_RDONLY) {}
        do {
            switch try Command(Array(CommandLine.arguments.dropFirst())) {
            case .run(let arguments): run(arguments)
            case .help: show(Help.text)
            case .version: show(Help.version)
            }
        } catch {
            let lines = error.problems.map { "fetch: \($0.printable)" } + [Help.hint]
            _ = Console.write(lines.joined(separator: "\n"), to: STDERR_FILENO)
            exit(2)
        }
    }

    private static func show(_ text: String) {
        let code = Console.write(text, to: STDOUT_FILENO)
        guard code != 0 else { return }
        _ = Console.write("fetch: \(Console.failure(code))", to: STDERR_FILENO)
        exit(1)
    }

    /// A run loop drives the main thread. (Under `dispatchMain()`, and so in an `async` main function, the main thread on
    /// Linux waits with no signal blocked: `Termination` could not work.)
    private static func run(_ arguments: Arguments) -> Never {
        // The demonstration needs no proxy. Set before there are other threads.
        if arguments.urls.isEmpty { setenv("no_proxy", "127.0.0.1", 1) }
        let files = TemporaryFiles()
        let termination = Termination(files: files)
        termination.takeOver()
        Task { exit(await Run(arguments, files: files, termination: termination).perform()) }
        while true { RunLoop.main.run() }
    }
}
