import NetworkIndicator

/// Prints when the indicator turns on and off.
@MainActor
public final class Printer: ActivityIndicator {
    public nonisolated init() {}
    public func setVisible(_ isVisible: Bool) { print("indicator \(isVisible ? "on" : "off")") }
}
