import struct Foundation.URLError

// Foundation on Linux lacks both declarations.
extension URLError {
    public enum NetworkUnavailableReason: Sendable { case cellular, expensive, constrained }

    public var networkUnavailableReason: NetworkUnavailableReason? { nil }
}
