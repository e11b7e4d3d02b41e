import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Downloads files into the working directory without this package, for comparison.
func plainDownloads(of addresses: some Sequence<String>, atOnce limit: Int) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
        for (index, url) in addresses.compactMap({ URL(string: $0) }).enumerated() {
            if index >= limit { try await group.next() }
            group.addTask {
                let (file, _) = try await URLSession.shared.download(from: url)
                try FileManager.default.moveItem(at: file, to: URL(filePath: url.lastPathComponent))
            }
        }
        try await group.waitForAll()
    }
}
