#if canImport(SwiftUI)
public import NetworkIndicator
public import SwiftUI

extension EnvironmentValues {
    /// The manager that this module's views observe, unless they receive another one. The default is
    /// `NetworkIndicatorManager.shared`.
    ///
    /// ```swift
    /// struct RootView: View {
    ///     let manager: NetworkIndicatorManager
    ///
    ///     var body: some View {
    ///         ContentView().environment(\.networkIndicatorManager, manager)
    ///     }
    /// }
    /// ```
    ///
    /// A view of your own reads it with `@Environment(\.networkIndicatorManager)`.
    public var networkIndicatorManager: NetworkIndicatorManager {
        get { self[ManagerKey.self] }
        set { self[ManagerKey.self] = newValue }
    }
}

private struct ManagerKey: EnvironmentKey {
    static var defaultValue: NetworkIndicatorManager { .shared }
}
#endif
