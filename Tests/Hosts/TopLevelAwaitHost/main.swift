// As AsyncMainHost, with the code at the top level: TopLevelAwaitHost PLOT.
import HostStory

Story(arguments: CommandLine.arguments.dropFirst()).begin()
for await _ in AsyncStream<Void>.makeStream().stream {}
