// Like AsyncMainHost, but with the code at the top level: TopLevelAwaitHost SCENARIO.
import HostScenario

Scenario(arguments: CommandLine.arguments.dropFirst()).begin()
for await _ in AsyncStream<Void>.makeStream().stream {}
