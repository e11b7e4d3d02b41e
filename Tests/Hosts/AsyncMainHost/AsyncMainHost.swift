import HostScenario

@main
struct AsyncMainHost {
    static func main() async {
        Scenario(arguments: CommandLine.arguments.dropFirst()).begin()
        for await _ in AsyncStream<Void>.makeStream().stream {}
    }
}
