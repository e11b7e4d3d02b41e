#if canImport(UIKit) || canImport(AppKit)
import Foundation
import NetworkIndicator
import NetworkIndicatorTestKit
import NetworkIndicatorUI
import Testing

#if canImport(UIKit)
import UIKit

private final class Spinner: UIActivityIndicatorView {
    var changes: [String] = []
    var label: String? { accessibilityLabel }
    var uiTestIdentifier: String? {
        get { accessibilityIdentifier }
        set { accessibilityIdentifier = newValue }
    }

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

private final class Spinner: NSProgressIndicator {
    var changes: [String] = []
    var label: String? { accessibilityLabel() }
    var uiTestIdentifier: String? {
        get { accessibilityIdentifier() }
        set { setAccessibilityIdentifier(newValue) }
    }

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

@MainActor
private final class Source {
    var fraction: Double?
    init(_ fraction: Double? = nil) { self.fraction = fraction }
}

@MainActor
@Suite(.serialized) struct SpinnerTests {
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

    @Test func holdsItsViewWeaklyAndEndsWithIt() {
        weak var view: Spinner?
        weak var indicator: SpinnerIndicator?
        // UIKit may autorelease a view while it creates the view.
        autoreleasepool {
            let spinner = Spinner.make()
            let attached = SpinnerIndicator(spinner)
            manager.attach(attached)
            scheduler.advance(by: .zero)
            (view, indicator) = (spinner, attached)
        }
        #expect(view == nil)
        #expect(indicator != nil)
        let token = manager.beganNetworkTask()
        scheduler.advance(by: .zero)
        #expect(manager.isIndicatorVisible)
        #expect(indicator == nil)
        token.finish()
    }

    @Test func labelsItsViewForVoiceOver() {
        let spinner = Spinner.make()
        let indicator = SpinnerIndicator(spinner, label: "Loading articles")
        indicator.setVisible(true)
        #expect(spinner.label == "Loading articles")
    }

    @Test func keepsTheViewsOwnLabel() {
        let spinner = Spinner.make()
        let own = spinner.label
        SpinnerIndicator(spinner).setVisible(true)
        #expect(spinner.label == own)
    }

    @Test func uiTestsFindTheViewByItsIdentifier() {
        let (spinner, named) = (Spinner.make(), Spinner.make())
        named.uiTestIdentifier = "Feed"
        for view in [spinner, named] { SpinnerIndicator(view).setVisible(true) }
        #expect(spinner.uiTestIdentifier == "NetworkActivity")
        #expect(named.uiTestIdentifier == "Feed")
    }

    #if canImport(AppKit)
    /// Interface Builder gives such an identifier to a view without one.
    @Test func aNibsIdentifierIsReplaced() {
        let spinner = Spinner.make()
        spinner.uiTestIdentifier = "_NS:8"
        SpinnerIndicator(spinner).setVisible(true)
        #expect(spinner.uiTestIdentifier == "NetworkActivity")
    }
    #endif

    @Test func hidesAViewThatWasNeverUsed() {
        let spinner = Spinner.make()
        spinner.isHidden = false
        SpinnerIndicator(spinner).setVisible(false)
        #expect(spinner.isHidden)
    }

    #if os(iOS)
    @available(iOS 26, *)
    @Test func theItemKeepsItsPlaceWithoutGlass() {
        let spinner = Spinner.make()
        let item = UIBarButtonItem(customView: spinner)
        SpinnerIndicator(spinner, item: item).setVisible(false)
        #expect(item.hidesSharedBackground)
        #expect(!item.isHidden)
    }
    #elseif canImport(AppKit)
    @available(macOS 15, *)
    @Test func theItemKeepsItsPlaceWithoutGlass() {
        let spinner = Spinner.make()
        let item = NSToolbarItem(itemIdentifier: .init("Activity"))
        (item.view, item.isBordered) = (spinner, true)
        SpinnerIndicator(spinner, item: item).setVisible(false)
        #expect(!item.isBordered && !item.isHidden)
    }
    #endif

    #if canImport(UIKit)
    @Test func aFractionReplacesTheSpinnerByTheBar() {
        let (spinner, bar) = (Spinner.make(), UIProgressView(progressViewStyle: .default))
        let source = Source()
        let indicator = SpinnerIndicator(spinner, bar: bar, label: "Loading") { source.fraction }
        indicator.setVisible(true)
        #expect(!spinner.isHidden && bar.isHidden)
        source.fraction = 0.25
        indicator.setVisible(true)
        #expect(spinner.isHidden && !bar.isHidden)
        #expect(bar.progress == 0.25)
        #expect(bar.accessibilityLabel == "Loading")
        indicator.setVisible(false)
        #expect(spinner.isHidden && bar.isHidden)
    }
    #else
    @Test func aFractionMakesTheViewDeterminate() {
        let spinner = Spinner.make()
        (spinner.minValue, spinner.maxValue) = (100, 300)
        let source = Source(0.25)
        let indicator = SpinnerIndicator(spinner) { source.fraction }
        #expect(spinner.isIndeterminate)
        indicator.setVisible(true)
        #expect(!spinner.isIndeterminate && spinner.doubleValue == 150)
        source.fraction = nil
        indicator.setVisible(true)
        #expect(spinner.isIndeterminate)
        #expect(spinner.changes.last == "start")
        indicator.setVisible(false)
        #expect(spinner.isHidden)
    }

    @Test func theViewsOwnSettingReturns() {
        let spinner = Spinner.make()
        spinner.isDisplayedWhenStopped = false
        let indicator = SpinnerIndicator(spinner) { 0.5 }
        indicator.setVisible(true)
        #expect(spinner.isDisplayedWhenStopped)
        indicator.setVisible(false)
        #expect(!spinner.isDisplayedWhenStopped)
    }
    #endif
}
#endif
