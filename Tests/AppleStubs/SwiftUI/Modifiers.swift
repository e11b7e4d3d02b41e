@_exported import SwiftUICore

public enum ControlSize: Sendable { case mini, small, regular, large }

extension View {
    #if !tvOS
    public func controlSize(_ controlSize: ControlSize) -> some View { modified("controlSize(\(controlSize))") }
    #endif

    public func accessibilityLabel(_ label: Text) -> some View { modified("accessibilityLabel(\(label.string))") }
    public func accessibilityHidden(_ hidden: Bool) -> some View { modified("accessibilityHidden(\(hidden))") }
    public func accessibilityIdentifier(_ identifier: String) -> some View {
        modified("accessibilityIdentifier(\(identifier))")
    }
}
