import Foundation
import NetworkIndicatorTransfers

enum FileName {
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
