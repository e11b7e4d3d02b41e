import Foundation

// The pseudo-terminal tests run this program as a session leader (`shell`) and as its job (`job`). The tests send
// commands through a socket for each role, one command on each line.

#if canImport(Glibc)
let arguments = CommandLine.arguments
switch arguments.dropFirst().first {
case "shell": Shell(job: [arguments[0], "job"], options: Set(arguments.dropFirst(2))).run()
case "job": await Job.shared.run()
default: exit(2)
}
#endif
