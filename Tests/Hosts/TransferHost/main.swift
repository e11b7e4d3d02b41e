import Foundation
import TestSupport

#if canImport(FoundationNetworking)
@_exported import FoundationNetworking
#endif

alarm(600)  // watchdog
ParentWatch.start()
switch CommandLine.arguments.dropFirst().first {
case "storm": try await Storm(rounds: Int(CommandLine.arguments[2]) ?? 50).run()
case "files": try await FileStorm(runs: Int(CommandLine.arguments[2]) ?? 5, seed: 13).run()
case "blocked-pool": try await blockedPool()
case "removed-directory": try await removedDirectory()
case "open-files": try await openFiles()
#if os(Linux)
case "offline": try await offline()
case "http2": try await http2()
case "cookies": try await cookies(CommandLine.arguments.dropFirst(2))
case "proxies": try await proxies()
case "proxy": try await ProxyScene().run()
case "silent-name-server": try await SilentNameServer().run()
case "tls": try await tls()
case "exits": try await exits(Int(CommandLine.arguments[2]) ?? 10)
case "exit":
    if let url = URL(string: CommandLine.arguments[2]) {
        try await exitWhileReceiving(url, CommandLine.arguments[3])
    }
case "exit-beside-slow-disk": try await exitBesideSlowDisk()
case "exhausted-resources": try await exhaustedResources()
#endif
default: exit(64)
}

/// `FileHandle` doesn't buffer the output, so a crash loses none of it.
func report(_ what: String, _ value: Any) {
    FileHandle.standardOutput.write(Data("\(what): \(value)\n".utf8))
}

#if os(Linux)
struct CommandError: Error {
    let command: String
    let status: Int32
}

/// While the loopback interface is down, CFSocket, which Foundation's `Process` uses, can't create its wakeup socket
/// pair, so this function calls `system`.
func shell(_ command: String) throws {
    let status = system("\(command) > /dev/null 2>&1")
    guard status == 0 else { throw CommandError(command: command, status: status) }
}

/// `unshare` moves only the calling thread, so call this function before the program starts other threads.
func enterNamespace(_ flag: Int32) throws {
    typealias Unshare = @convention(c) (Int32) -> Int32
    guard unsafeBitCast(dlsym(nil, "unshare"), to: Unshare.self)(flag) == 0 else {
        throw POSIXError(.init(rawValue: errno) ?? .EPERM)
    }
}
#endif
