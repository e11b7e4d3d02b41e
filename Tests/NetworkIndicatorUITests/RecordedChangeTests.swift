#if canImport(AppleStubs)
import AppleStubs
import NetworkIndicator
import NetworkIndicatorTestKit
import NetworkIndicatorUI
import Observation
import SwiftUI
import Testing

#if canImport(UIKit)
import UIKit
#else
import AppKit
#endif

extension UITests {
    @MainActor
    @Suite struct RecordedChangeTests {
        private let scheduler = ManualScheduler()
        private let manager: NetworkIndicatorManager

        init() {
            manager = NetworkIndicatorManager(configuration: .immediate, scheduler: scheduler)
            _ = Journal.take()
        }

        private func runTask() {
            let token = manager.beganNetworkTask()
            scheduler.advance(by: .zero)
            token.finish()
            scheduler.advance(by: .zero)
        }

        #if canImport(UIKit)
        private let spinner = UIActivityIndicatorView(style: .medium)
        private let start = ["startAnimating", "isHidden = false", "isHidden = false"]
        private let stop = ["stopAnimating", "isHidden = true"]

        @Test func switchesTheStatusBarsIndicator() {
            manager.attach(StatusBarIndicator())
            runTask()
            #expect(
                Journal.take() == [
                    "isNetworkActivityIndicatorVisible = true", "isNetworkActivityIndicatorVisible = false",
                ])
        }

        @Test func theStatusBarNeedsNoApplication() {
            Settings.hasApplication = false
            defer { Settings.hasApplication = true }
            manager.attach(StatusBarIndicator())
            runTask()
            #expect(Journal.take() == [])
        }

        @Test func theBarJumpsUnderReduceMotion() {
            let bar = UIProgressView(progressViewStyle: .default)
            let indicator = SpinnerIndicator(spinner, bar: bar)
            indicator.setVisible(true)
            for isReduced in [false, true] {
                Settings.reducesMotion = isReduced
                defer { Settings.reducesMotion = false }
                indicator.fraction = 0.1
                _ = Journal.take()
                indicator.fraction = 0.5
                #expect(Journal.take().first == "progress = 0.5, animated: \(!isReduced)")
            }
        }
        #else
        private let spinner = NSProgressIndicator()
        private let start = ["startAnimation", "isHidden = false"]
        private let stop = ["stopAnimation"]
        #endif

        @Test func startsAndStopsTheSpinner() {
            manager.attach(SpinnerIndicator(spinner))
            runTask()
            #expect(Journal.take() == start + stop + ["isHidden = true"])
        }

        @Test func spinsUnderReduceMotion() {
            Settings.reducesMotion = true
            defer { Settings.reducesMotion = false }
            manager.attach(SpinnerIndicator(spinner))
            runTask()
            #expect(Journal.take() == start + stop + ["isHidden = true"])
        }

        @Test func observationRedrawsTheView() {
            let view = NetworkActivityView(manager)
            let changes = Changes()
            let before = withObservationTracking {
                describe(view)
            } onChange: {
                changes.count += 1
            }
            let token = manager.beganNetworkTask()
            scheduler.advance(by: .zero)
            #expect(changes.count == 1)
            expectSpinner(in: before, isVisible: false, fades: true)
            expectSpinner(in: describe(view), isVisible: true, fades: true)
            token.finish()
        }

        private func expectSpinner(in view: String, isVisible: Bool, fades: Bool) {
            // While the indicator is off, the view has no spinner, because a hidden spinner would still animate.
            #expect(view.contains("ProgressView") == isVisible, "\(view)")
            #expect(view.contains("accessibilityIdentifier(NetworkActivity)") == isVisible, "\(view)")
            #expect(view.contains("accessibilityHidden(true)") && !view.contains("accessibilityLabel"), "\(view)")
            #expect(view.contains("animation(nil, value: \(isVisible))") == !fades, "\(view)")
        }

        @Test func theViewSpinsWithoutFadingUnderReduceMotion() {
            Settings.reducesMotion = true
            defer { Settings.reducesMotion = false }
            let view = NetworkActivityView(manager)
            expectSpinner(in: describe(view), isVisible: false, fades: false)
            let token = manager.beganNetworkTask()
            scheduler.advance(by: .zero)
            expectSpinner(in: describe(view), isVisible: true, fades: false)
            token.finish()
        }

        @Test func theSpaceIsThatOfTheSpinner() {
            let view = NetworkActivityView(manager)
            // The spinner doesn't grow with the text size, so the symbol doesn't either.
            let symbol = "Image(circle).font(body).dynamicTypeSize(large)"
            #expect(describe(view).hasPrefix("\(symbol).frame(minWidth: 0.0, minHeight: 0.0)"))
            let token = manager.beganNetworkTask()
            scheduler.advance(by: .zero)
            _ = describe(view)
            token.finish()
            scheduler.advance(by: .zero)
            #expect(describe(view).contains("frame(minWidth: 45.0, minHeight: 46.0)"))
        }

        @Test func theToolbarItemHasNoGlass() {
            let item = NetworkActivityToolbarItem(
                manager, placement: .principal, label: Text("Fetching"), fraction: 0.5)
            for isBusy in [false, true] {
                let token = isBusy ? manager.beganNetworkTask() : nil
                scheduler.advance(by: .zero)
                let view = describe(NetworkActivityView(manager, label: Text("Fetching"), fraction: 0.5))
                #expect(describe(item) == "ToolbarItem(principal: \(view)).sharedBackgroundVisibility(hidden)")
                token?.finish()
            }
        }

        @Test func theEnvironmentHasTheManager() {
            let other = NetworkIndicatorManager(configuration: .immediate, scheduler: scheduler)
            let token = manager.beganNetworkTask()
            scheduler.advance(by: .zero)
            let view = Text("Feed").networkActivityIndicator().toolbar { NetworkActivityToolbarItem() }
            let spinners = { (view: any View) in describe(view).split(separator: "(NetworkActivity)").count - 1 }
            #expect(spinners(view) == 0)
            #expect(spinners(view.environment(\.networkIndicatorManager, manager)) == 2)
            #expect(spinners(view.environment(\.networkIndicatorManager, other)) == 0)
            #expect(spinners(NetworkActivityView(manager).environment(\.networkIndicatorManager, other)) == 1)
            token.finish()
        }

        @Test(arguments: [(0.25, "0.25"), (-1, "0.0"), (7, "1.0"), (.infinity, "1.0")])
        func theViewShowsAFraction(fraction: Double, shown: String) {
            let view = NetworkActivityView(manager, fraction: fraction)
            let space = "ProgressView(\(shown)).frame(idealWidth: 100.0).opacity(0.0).accessibilityHidden(true)"
            #expect(describe(view).hasPrefix("\(space).overlay(center: )"))
            let token = manager.beganNetworkTask()
            scheduler.advance(by: .zero)
            #expect(
                describe(view).hasPrefix(
                    "\(space).overlay(center: ProgressView(\(shown)).accessibilityIdentifier(NetworkActivity))"))
            token.finish()
        }

        @Test(arguments: [nil, Double.nan]) func aFractionThatIsUnknownGivesASpinner(fraction: Double?) {
            #expect(
                describe(NetworkActivityView(manager, fraction: fraction)) == describe(NetworkActivityView(manager)))
        }

        @Test func theModifierIgnoresTouches() {
            let token = manager.beganNetworkTask()
            scheduler.advance(by: .zero)
            let view = describe(
                Text("Feed").networkActivityIndicator(manager, label: Text("Fetching"), fraction: 0.5))
            #expect(view.hasPrefix("Text(Feed).overlay(top: ProgressView(0.5)"))
            #expect(describe(Text("").networkActivityIndicator(alignment: .center)).contains("overlay(center: "))
            #expect(view.contains("accessibilityLabel(Fetching)"))
            #expect(view.hasSuffix(".padding(4.0).allowsHitTesting(false))"))
            token.finish()
        }
    }
}

/// `@unchecked Sendable`: accessed on the main actor only.
private final class Changes: @unchecked Sendable {
    var count = 0
}
#endif
