@_exported import struct Foundation.URLError

extension URLError {
    public enum NetworkUnavailableReason: Sendable { case cellular, expensive, constrained }

    public var networkUnavailableReason: NetworkUnavailableReason? { nil }
}
