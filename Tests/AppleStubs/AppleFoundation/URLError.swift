import struct Foundation.URLError

// Foundation on Linux doesn't declare these.
extension URLError {
    public enum NetworkUnavailableReason: Sendable { case cellular, expensive, constrained }

    public var networkUnavailableReason: NetworkUnavailableReason? { nil }
}
