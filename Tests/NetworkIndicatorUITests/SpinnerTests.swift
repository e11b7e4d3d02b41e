// Runs against UIKit and AppKit, and on other systems against the stubs (Tests/AppleStubs).
#if canImport(UIKit) || canImport(AppKit)
import NetworkIndicator
import NetworkIndicatorTestKit
import NetworkIndicatorUI
import Testing

#if canImport(UIKit)
import UIKit

/// A view that remembers what it was told.
private final class Spinner: UIActivityIndicatorView {
    var changes: [String] = []
    var label: String? { accessibilityLabel }

    override func startAnimating() {
        changes.append("start")
        super.startAnimating()
    }

    override func stopAnimating() {
        changes.append("stop")
        super.stopAnimating()
    }

    static func make() -> Spinner { Spinner(style: .medium) }
}
#else
import AppKit

/// A view that remembers what it was told.
private final class Spinner: NSProgressIndicator {
    var changes: [String] = []
    var label: String? { accessibilityLabel() }

    override func startAnimation(_ sender: Any?) {
        changes.append("start")
        super.startAnimation(sender)
    }

    override func stopAnimation(_ sender: Any?) {
        changes.append("stop")
        super.stopAnimation(sender)
    }

    static func make() -> Spinner {
        let spinner = Spinner()
        spinner.style = .spinning
        return spinner
    }
}
#endif

extension UITests {
    @MainActor
    @Suite struct SpinnerTests {
        private let scheduler = ManualScheduler()
        private let manager: NetworkIndicatorManager

        init() {
            manager = NetworkIndicatorManager(configuration: .immediate, scheduler: scheduler)
        }

        @Test func spinsWhileBusyAndHidesAfterwards() {
            let spinner = Spinner.make()
            manager.attach(SpinnerIndicator(spinner))
            let token = manager.beganNetworkTask()
            scheduler.advance(by: .zero)
            #expect(spinner.changes == ["start"])
            #expect(!spinner.isHidden)
            token.finish()
            scheduler.advance(by: .zero)
            #expect(spinner.changes == ["start", "stop"])
            #expect(spinner.isHidden)
        }

        @Test func holdsItsViewWeakly() {
            weak var view: Spinner?
            do {
                let spinner = Spinner.make()
                view = spinner
                manager.attach(SpinnerIndicator(spinner))
            }
            #expect(view == nil)
            let token = manager.beganNetworkTask()
            scheduler.advance(by: .zero)
            #expect(manager.isIndicatorVisible)
            token.finish()
        }

        @Test func labelsItsViewForVoiceOver() {
            let spinner = Spinner.make()
            let indicator = SpinnerIndicator(spinner, label: "Loading articles")
            indicator.setVisible(true)
            #expect(spinner.label == "Loading articles")
        }

        @Test func leavesTheViewsOwnLabelAlone() {
            let spinner = Spinner.make()
            let own = spinner.label
            SpinnerIndicator(spinner).setVisible(true)
            #expect(spinner.label == own)
        }

        @Test func canBeMadeAnywhere() async {
            let spinner = Spinner.make()
            let indicator = await Task.detached { SpinnerIndicator(spinner) }.value
            indicator.setVisible(true)
            #expect(spinner.changes == ["start"])
        }
    }
}
#endif
