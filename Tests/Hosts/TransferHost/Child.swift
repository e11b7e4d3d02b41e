#if os(Linux)
import Foundation
import Glibc

/// A started program. Foundation's `Process` isn't used, because it needs the loopback interface, which may be down.
struct Child {
    let id: pid_t

    /// - Returns: The status of its exit, or -1.
    func wait() -> Int32 {
        var status: Int32 = 0
        guard waitpid(id, &status, 0) == id, status & 0x7F == 0 else { return -1 }
        return status >> 8 & 0xFF
    }
}

struct SpawnError: Error {
    let arguments: [String]
    /// The error of the start, or the status of the exit.
    let code: Int32
}

func spawn(_ program: String, _ arguments: String..., isSilent: Bool = false) throws -> Child {
    try spawn(program, arguments, isSilent: isSilent)
}

func spawn(_ program: String, _ others: [String], isSilent: Bool = false) throws -> Child {
    let arguments = [program] + others
    var argv = arguments.map { strdup($0) } + [nil]
    defer { for argument in argv { free(argument) } }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    if isSilent {
        for descriptor in [STDOUT_FILENO, STDERR_FILENO] {
            posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_WRONLY, 0)
        }
    }
    var child: pid_t = 0
    let code = posix_spawnp(&child, arguments[0], &actions, nil, &argv, environ)
    guard code == 0 else { throw SpawnError(arguments: arguments, code: code) }
    return Child(id: child)
}

/// Runs a program, without its output.
///
/// - Throws: ``SpawnError`` if it can't be started or fails.
func succeed(_ program: String, _ arguments: String...) throws {
    let status = try spawn(program, arguments, isSilent: true).wait()
    guard status == 0 else { throw SpawnError(arguments: [program] + arguments, code: status) }
}

/// `unshare`, of <sched.h>, which Swift's Glibc module leaves out.
func enterNamespace(_ flag: Int32) -> Int32 {
    typealias Unshare = @convention(c) (Int32) -> Int32
    return unsafeBitCast(dlsym(nil, "unshare"), to: Unshare.self)(flag)
}
#endif
