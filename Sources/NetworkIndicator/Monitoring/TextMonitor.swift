import Foundation

/// Writes each event as a line of text, to standard error by default.
///
/// ```swift
/// NetworkIndicatorManager.shared.attach(monitor: TextMonitor())
/// ```
///
/// A line begins with the seconds since the monitor's creation. It states what happened, the task's label, its duration
/// unless it has just begun, the type of its token, and where it began:
///
/// ```
/// network: 0.004 s began GET http://host/path, URLSessionDataTask, begun at App/Sync.swift:12
/// network: 0.117 s indicator on
/// network: 1.337 s finished GET http://host/path, 1.333 s, URLSessionDataTask, begun at App/Sync.swift:12
/// ```
///
/// Durations end when the monitor receives the event, which may be later than the deallocation of the token. Line
/// breaks and tabs become spaces, and other control characters are removed. On Apple's platforms, you can also use
/// `LogMonitor` and `SignpostMonitor` of the module `NetworkIndicatorTracing`.
public struct TextMonitor: NetworkTaskMonitor {
    private let now: @Sendable () -> SuspendingClock.Instant
    private let start: SuspendingClock.Instant
    private let write: @Sendable (String) -> Void

    /// Creates a monitor that writes to standard error.
    public init() { self.init(Self.writeToStandardError) }

    /// Creates a monitor that passes each line to a closure.
    ///
    /// - Parameter write: A closure that receives each line without its line break. The closure runs on any thread.
    ///   Each manager passes the next line only after the closure has returned.
    public init(_ write: @escaping @Sendable (String) -> Void) { self.init(now: { SuspendingClock().now }, write) }

    init(now: @escaping @Sendable () -> SuspendingClock.Instant, _ write: @escaping @Sendable (String) -> Void) {
        (self.now, start, self.write) = (now, now(), write)
    }

    public func receive(_ event: NetworkTaskEvent) {
        let now = now()
        let isBegin = if case .began = event { true } else { false }
        let text = event.text { task in
            task.description(lasting: isBegin ? nil : task.began.duration(to: now).text(fractionDigits: 3))
        }
        write("\(start.duration(to: now).text(fractionDigits: 3)) \(text)")
    }

    @Sendable
    static func writeToStandardError(_ line: String) {
        try? FileHandle.standardError.write(contentsOf: Data("network: \(line)\n".utf8))
    }
}
