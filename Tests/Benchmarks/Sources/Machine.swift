import Foundation

enum Machine {
    static var description: String {
        let info = ProcessInfo.processInfo
        let memory = Double(info.physicalMemory) / 1e9
        let parts = [processor, "\(info.activeProcessorCount) cores", String(format: "%.0f GB", memory), system]
        return parts.compactMap { $0 }.joined(separator: ", ")
    }

    private static var processor: String? {
        let lines = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8))?.split(separator: "\n") ?? []
        let name = lines.first { $0.hasPrefix("model name") }?.split(separator: ":").last
        return name.map { $0.trimmingCharacters(in: .whitespaces) }
    }

    private static var system: String {
        var name = utsname()
        guard uname(&name) == 0 else { return ProcessInfo.processInfo.operatingSystemVersionString }
        func text(_ field: some Any) -> String {
            withUnsafeBytes(of: field) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        }
        return "\(text(name.sysname)) \(text(name.release)) (\(text(name.machine)))"
    }
}
