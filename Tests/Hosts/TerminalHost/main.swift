import Foundation

// The pseudo-terminal tests run this program in two roles. The shell leads the terminal's session, and controls one
// job. The job owns an indicator, and performs the test's commands. Commands and results are lines on a socket.

#if canImport(Glibc)
let arguments = CommandLine.arguments
switch arguments.dropFirst().first {
case "shell": Shell(job: [arguments[0], "job"], options: Set(arguments.dropFirst(2))).run()
case "job": await Job.shared.run()
default: exit(2)
}
#endif
