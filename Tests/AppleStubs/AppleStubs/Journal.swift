import Foundation

/// The property changes, calls and messages that the stubs record, in order.
public enum Journal {
    // Guarded by `lock`.
    nonisolated(unsafe) private static var lines: [String] = []
    private static let lock = NSLock()

    public static func record(_ line: String) { lock.withLock { lines.append(line) } }

    /// Removes and returns the recorded lines.
    public static func take() -> [String] {
        lock.withLock {
            defer { lines = [] }
            return lines
        }
    }
}
