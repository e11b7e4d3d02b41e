import Foundation
import NetworkIndicatorTransfers

struct Download {
    let url: URL
    let path: String
    let directory: String
    let transfer: TransferMeter.Transfer

    var name: String { path.split(separator: "/").last.map(String.init) ?? path }

    /// The file that is written, even if the path is a link to it.
    var destination: URL {
        let url = URL(path: path, in: directory)
        var byte: CChar = 0
        // Resolving every path would take 3 % of the CPU time of a small download.
        return readlink(url.path, &byte, 1) < 0 ? url : url.resolvingSymlinksInPath()
    }

    /// Returns safe names for the files of the URLs. Even on a file system that ignores case, they differ.
    static func names(for urls: [URL]) -> [String] {
        var taken: Set<String> = []
        return urls.map { url in
            let name = url.suggestedFilename
            var (candidate, number) = (name, 2)
            while !taken.insert(candidate.lowercased()).inserted {
                let dot = name.dropFirst().lastIndex(of: ".") ?? name.endIndex
                candidate = "\(name[..<dot])-\(number)\(name[dot...])"
                number += 1
            }
            return candidate
        }
    }
}

extension URL {
    /// The directory before a relative path prevents Foundation from expanding a tilde at the beginning of that path.
    init(path: String, in directory: String = ".") {
        self.init(filePath: path.hasPrefix("/") ? path : "\(directory)/\(path)", directoryHint: .notDirectory)
    }
}
