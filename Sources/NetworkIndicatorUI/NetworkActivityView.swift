#if canImport(SwiftUI)
public import NetworkIndicator
public import SwiftUI

/// A small spinner that is there while the network is in use, and keeps its place free otherwise.
///
/// Made for toolbars and status lines, whose other items must not jump when it comes and goes:
///
/// ```swift
/// struct RootView: View {
///     var body: some View {
///         ContentView().toolbar { ToolbarItem { NetworkActivityView() } }
///     }
/// }
/// ```
///
/// VoiceOver reads its label while it is visible, and passes it over otherwise. Under Reduce Motion a symbol that stands
/// still takes the spinner's place, and nothing fades.
public struct NetworkActivityView: View {
    private let manager: NetworkIndicatorManager
    private let label: Text
    @Environment(\.accessibilityReduceMotion) private var reduceMotion

    /// Makes a view that observes a manager.
    ///
    /// - Parameters:
    ///   - manager: Whose indicator this is.
    ///   - label: What VoiceOver reads. “Loading” is looked up in the app's own strings.
    public init(_ manager: NetworkIndicatorManager = .shared, label: Text = Text("Loading")) {
        self.manager = manager
        self.label = label
    }

    public var body: some View {
        let isVisible = manager.isIndicatorVisible
        Group {
            if reduceMotion {
                Image(systemName: "arrow.up.arrow.down")
            } else {
                ProgressView().controlSize(.small)
            }
        }
        .opacity(isVisible ? 1 : 0)
        .animation(reduceMotion ? nil : .default, value: isVisible)
        .accessibilityLabel(label)
        .accessibilityHidden(!isVisible)
    }
}
#endif
