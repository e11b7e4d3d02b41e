import Foundation

/// Downloads files, several at once, and shows their progress on the terminal.
@main
enum Fetch {
    static func main() {
        // If a standard descriptor is closed, the next opened file would get its number, and would receive the
        // program's output. The replacement is opened for reading only, so that writing still fails.
        while case 0...STDERR_FILENO = open("/dev/null", O_RDONLY) {}
        do {
            let arguments = try Arguments(Array(CommandLine.arguments.dropFirst()))
            if let text = arguments.text { show(text) } else { run(arguments) }
        } catch {
            for problem in error.problems { Output.printError(problem) }
            Output.print(Help.hint, to: STDERR_FILENO)
            exit(2)
        }
    }

    private static func show(_ text: String) {
        let code = Output.print(text, to: STDOUT_FILENO)
        guard code != 0 else { return }
        Output.printError(Output.failure(code))
        exit(1)
    }

    private static func run(_ arguments: Arguments) -> Never {
        // The demonstration must not use a proxy. `setenv` is safe only before other threads start.
        if arguments.isDemonstration { setenv("no_proxy", "127.0.0.1", 1) }
        let termination = Termination()
        termination.run { await Run(arguments, termination: termination).perform() }
        while true { RunLoop.main.run() }
    }
}
