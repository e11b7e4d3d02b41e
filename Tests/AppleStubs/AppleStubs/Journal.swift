import Foundation

/// What was done to the stubs: changes of properties, calls and messages, in order.
public enum Journal {
    // Guarded by `lock`.
    nonisolated(unsafe) private static var lines: [String] = []
    private static let lock = NSLock()

    public static func record(_ line: String) { lock.withLock { lines.append(line) } }

    /// Everything since the last call.
    public static func take() -> [String] {
        lock.withLock {
            defer { lines = [] }
            return lines
        }
    }
}
