#if canImport(SwiftUI)
public import NetworkIndicator
public import SwiftUI

extension EnvironmentValues {
    /// The manager that this module's views and toolbar items observe, unless you pass them another manager. The
    /// default is `NetworkIndicatorManager.shared`.
    ///
    /// Calls that track tasks don't know the environment. Their default is `NetworkIndicatorManager.shared`, so pass
    /// them the same manager, as in `session.trackedData(from: url, manager: manager)`. Debug builds warn if tasks run
    /// on a manager that nothing observes, while another manager is observed.
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
    public var networkIndicatorManager: NetworkIndicatorManager {
        get { self[ManagerKey.self] }
        set { self[ManagerKey.self] = newValue }
    }
}

private struct ManagerKey: EnvironmentKey {
    static var defaultValue: NetworkIndicatorManager { .shared }
}
#endif
