import Foundation

// Run by the pseudo-terminal tests, in two roles: a shell that leads the terminal's session and controls one job, and
// that job, which owns an indicator and does what the test orders. Orders and answers are lines on a socket.

#if canImport(Glibc)
let arguments = CommandLine.arguments
switch arguments.dropFirst().first {
case "shell": Shell(job: [arguments[0], "job"], options: Set(arguments.dropFirst(2))).run()
case "job": Job.shared.run()
default: exit(2)
}
#endif
