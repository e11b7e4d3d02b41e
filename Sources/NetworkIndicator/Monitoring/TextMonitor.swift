import Foundation

/// Writes each event as a line of text, to standard error by default.
///
/// ```swift
/// NetworkIndicatorManager.shared.attach(monitor: TextMonitor())
/// ```
///
/// On Apple's platforms, you can also use `LogMonitor` and `SignpostMonitor`.
public struct TextMonitor: NetworkTaskMonitor {
    private let write: @Sendable (String) -> Void

    /// Creates a monitor that writes to standard error.
    public init() { write = Self.writeToStandardError }

    /// Creates a monitor that passes each line to a closure.
    ///
    /// - Parameter write: A closure that receives each line without its line break. The closure runs on any thread.
    ///   Each manager passes the next line only after the closure has returned.
    public init(_ write: @escaping @Sendable (String) -> Void) { self.write = write }

    public func receive(_ event: NetworkTaskEvent) { write("\(event)") }

    @Sendable
    static func writeToStandardError(_ line: String) {
        try? FileHandle.standardError.write(contentsOf: Data("network: \(line)\n".utf8))
    }
}
