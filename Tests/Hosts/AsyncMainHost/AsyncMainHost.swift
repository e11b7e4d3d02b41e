// The concurrency runtime drives the main thread: AsyncMainHost PLOT.
import HostStory

@main
struct AsyncMainHost {
    static func main() async {
        Story(arguments: CommandLine.arguments.dropFirst()).begin()
        for await _ in AsyncStream<Void>.makeStream().stream {}
    }
}
