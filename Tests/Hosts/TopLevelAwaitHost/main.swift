import HostScenario

Scenario(arguments: CommandLine.arguments.dropFirst()).begin()
for await _ in AsyncStream<Void>.makeStream().stream {}
