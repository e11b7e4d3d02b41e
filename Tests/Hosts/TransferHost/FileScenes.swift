import Foundation
import LoopbackServer
import NetworkIndicatorTransfers
import TestSupport

/// Downloads more files at once than the process may open.
func openFiles() async throws {
    let server = try LoopbackServer()
    let session = URLSession(configuration: .ephemeral)
    ResourceLimit.set(RLIMIT_NOFILE, to: 200)
    server.on("/file", .text("whole"))
    let count = await withTaskGroup(of: Int.self) { group in
        for _ in 0..<300 {
            group.addTask {
                guard let (file, _) = try? await session.trackedDownload(from: server.url("/file")) else { return 0 }
                defer { try? FileManager.default.removeItem(at: file) }
                return (try? String(contentsOf: file, encoding: .utf8)) == "whole" ? 1 : 0
            }
        }
        return await group.reduce(0, +)
    }
    report("whole", count)
    // From here on, no descriptor is free when a file is complete.
    server.on("/slow", .text("whole").dripping(4, every: .milliseconds(50)))
    let (file, _) = try await session.trackedDownload(from: server.url("/slow")) { event in
        if case .receiving = event { while open("/dev/null", O_RDONLY) >= 0 {} }
    }
    close(199)
    report("contents", try String(contentsOf: file, encoding: .utf8))
    try FileManager.default.removeItem(at: file)
}

func removedDirectory() async throws {
    let directory = FileManager.default.temporaryDirectory.appending(path: "removed")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    guard chdir(directory.path) == 0, rmdir(directory.path) == 0 else { return }
    let name = "NetworkIndicator-\(UUID())"
    do {
        let url = URL(string: "http://127.0.0.1:1/")!
        _ = try await URLSession(configuration: .ephemeral).trackedDownload(from: url, to: URL(fileURLWithPath: name))
    } catch {
        report("error", error)
    }
    report("in the root directory", FileManager.default.fileExists(atPath: "/\(name)"))
}
