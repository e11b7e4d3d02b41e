import Foundation

@main
enum Fetch {
    @MainActor
    static func main() async {
        // If standard output were closed, the first download's file would get its number, and receive the output.
        while case 0...STDERR_FILENO = open("/dev/null", O_RDONLY) {}
        // Writing to a closed pipe then fails with `EPIPE`, so the program can clean up before it exits.
        signal(SIGPIPE, SIG_IGN)
        do {
            let arguments = try Arguments(Arguments.words())
            if arguments.wantsHelp { return print(Help.text) }
            // `setenv` is safe only before the program starts other threads.
            if arguments.urls.isEmpty { setenv("no_proxy", "127.0.0.1", 1) }
            let run = Run(arguments)
            let work = Task { await run.perform() }
            Interruption(of: work, run.indicator).end(await work.value)
        } catch {
            FileHandle.standardError.write(Data("fetch: \(error.problem.printable)\nTry 'fetch --help'.\n".utf8))
            exit(2)
        }
    }
}
