import Foundation

public enum Journal {
    // `nonisolated(unsafe)`: `lock` guards this variable.
    nonisolated(unsafe) private static var lines: [String] = []
    private static let lock = NSLock()

    public static func record(_ line: String) { lock.withLock { lines.append(line) } }

    public static func take() -> [String] {
        lock.withLock {
            defer { lines = [] }
            return lines
        }
    }
}
