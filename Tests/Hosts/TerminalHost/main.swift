import Foundation

#if canImport(Glibc)
let arguments = CommandLine.arguments
switch arguments.dropFirst().first {
case "shell": Shell(job: [arguments[0], "job"], options: Set(arguments.dropFirst(2))).run()
case "job": await Job.shared.run()
default: exit(2)
}
#endif
