import Foundation
import NetworkIndicatorTransfers

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

func removedDirectory() async throws {
    let directory = FileManager.default.temporaryDirectory.appending(path: "removed")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    guard chdir(directory.path) == 0, rmdir(directory.path) == 0 else { return }
    let name = "NetworkIndicator-\(UUID())"
    do {
        let session = URLSession(configuration: .ephemeral)
        _ = try await session.trackedDownload(
            for: URLRequest(url: URL(string: "http://127.0.0.1:1/")!), to: URL(fileURLWithPath: name))
    } catch {
        let text = (error as? DownloadError)?.description ?? "\(error)"
        report("error", text.contains("No such file or directory") ? "the directory is missing" : text)
    }
    report("in the root directory", FileManager.default.fileExists(atPath: "/\(name)"))
}
