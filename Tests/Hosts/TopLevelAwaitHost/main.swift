// A host like AsyncMainHost, but with top-level code. Usage: TopLevelAwaitHost SCENARIO
import HostScenario

Scenario(arguments: CommandLine.arguments.dropFirst()).begin()
for await _ in AsyncStream<Void>.makeStream().stream {}
