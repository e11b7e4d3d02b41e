import Foundation

// The pseudo-terminal tests run this program as a session leader (`shell`) and as its job (`job`). The tests send
// commands to each role through a separate socket, one command per line.

#if canImport(Glibc)
let arguments = CommandLine.arguments
switch arguments.dropFirst().first {
case "shell": Shell(job: [arguments[0], "job"], options: Set(arguments.dropFirst(2))).run()
case "job": await Job.shared.run()
default: exit(2)
}
#endif
