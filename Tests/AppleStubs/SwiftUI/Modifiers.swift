// As in Apple's SDKs since 2024, SwiftUI re-exports SwiftUICore, which declares most of the API.
@_exported import SwiftUICore

public enum ControlSize: Sendable { case mini, small, regular, large }

extension View {
    #if !tvOS
    // Some SDKs don't declare this method for tvOS, so the stub doesn't either.
    public func controlSize(_ controlSize: ControlSize) -> some View { modified("controlSize(\(controlSize))") }
    #endif

    public func accessibilityLabel(_ label: Text) -> some View { modified("accessibilityLabel(\(label.string))") }
    public func accessibilityHidden(_ hidden: Bool) -> some View { modified("accessibilityHidden(\(hidden))") }
    public func accessibilityIdentifier(_ identifier: String) -> some View {
        modified("accessibilityIdentifier(\(identifier))")
    }
}
