#if canImport(Glibc)
import Foundation

final class Shell: Sendable {
    private let job: [String]
    private let options: Set<String>
    private let test = LineSocket(descriptor: 3)

    init(job: [String], options: Set<String>) {
        self.job = job
        self.options = options
    }

    func run() -> Never {
        _ = fcntl(3, F_SETFD, FD_CLOEXEC)
        alarm(240)  // watchdog
        for signal in Self.signals { Foundation.signal(signal, SIG_IGN) }
        let pid = spawn()
        if !options.contains("background") { tcsetpgrp(STDIN_FILENO, pid) }
        test.send("started \(pid)")
        Thread.detachNewThread { self.wait(for: pid) }
        test.forEachLine { line in
            switch line {
            case "fg":
                tcsetpgrp(STDIN_FILENO, pid)
                kill(-pid, SIGCONT)
            case "bg": kill(-pid, SIGCONT)
            case "pause":
                usleep(250_000)
                test.send("paused")
            case "stopOutput":
                tcflow(STDIN_FILENO, TCOOFF)
                test.send("outputStopped")
            case "startOutputLater":
                usleep(250_000)
                tcflow(STDIN_FILENO, TCOON)
            default: test.send("unknown \(line)")
            }
        }
        kill(-pid, SIGKILL)
        exit(0)
    }

    private static let signals = [SIGINT, SIGHUP, SIGQUIT, SIGTSTP, SIGTTIN, SIGTTOU]

    private func spawn() -> pid_t {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        let newSession: Int32 = 0x80  // POSIX_SPAWN_SETSID
        let group = options.contains("otherSession") ? newSession : Int32(POSIX_SPAWN_SETPGROUP)
        posix_spawnattr_setflags(&attributes, Int16(group | Int32(POSIX_SPAWN_SETSIGDEF)))
        posix_spawnattr_setpgroup(&attributes, 0)
        var defaults = sigset_t()
        sigemptyset(&defaults)
        for signal in Self.signals { sigaddset(&defaults, signal) }
        posix_spawnattr_setsigdefault(&attributes, &defaults)

        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        if options.contains("brokenPipe") {
            var ends: [Int32] = [-1, -1]
            pipe(&ends)
            posix_spawn_file_actions_adddup2(&actions, ends[1], 2)
            posix_spawn_file_actions_addclose(&actions, ends[1])
            close(ends[0])
        }
        var pid = pid_t()
        var arguments = job.map { strdup($0) } + [nil]
        guard posix_spawn(&pid, job[0], &actions, &attributes, &arguments, environ) == 0 else { exit(3) }
        return pid
    }

    private func wait(for pid: pid_t) {
        var status: Int32 = 0
        while waitpid(pid, &status, WUNTRACED | WCONTINUED) == pid {
            if status == 0xFFFF {
                test.send("continued")
            } else if status & 0xFF == 0x7F {
                tcsetpgrp(STDIN_FILENO, getpgrp())
                test.send("stopped \(status >> 8)")
            } else {
                tcsetpgrp(STDIN_FILENO, getpgrp())
                test.send(status & 0x7F == 0 ? "exited \(status >> 8)" : "killed \(status & 0x7F)")
                exit(0)
            }
        }
    }
}
#endif
