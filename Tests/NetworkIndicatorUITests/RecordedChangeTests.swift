// What only the stubs can show: what was done to a status bar, a log, an environment.
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

        /// A task from its begin to its end.
        private func runTask(label: String? = nil, line: UInt = 7) {
            let token = manager.beganNetworkTask(label: label, fileID: "App/Feed.swift", line: line)
            scheduler.advance(by: .zero)
            token.finish()
            scheduler.advance(by: .zero)
        }

        #if canImport(UIKit)
        private func setReduceMotion(_ isOn: Bool) { UIAccessibility.isReduceMotionEnabled = isOn }
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
        #else
        private func setReduceMotion(_ isOn: Bool) { NSWorkspace.shared.accessibilityDisplayShouldReduceMotion = isOn }
        private let spinner = NSProgressIndicator()
        private let start = ["startAnimation", "isHidden = false"]
        private let stop = ["stopAnimation"]
        #endif

        @Test func startsAndStopsTheSpinner() {
            manager.attach(SpinnerIndicator(spinner))
            runTask()
            #expect(Journal.take() == start + stop + ["isHidden = true"])
        }

        @Test func showsTheSpinnerStandingStillUnderReduceMotion() {
            setReduceMotion(true)
            defer { setReduceMotion(false) }
            manager.attach(SpinnerIndicator(spinner))
            runTask()
            #expect(Journal.take() == stop + ["isHidden = false"] + stop + ["isHidden = true"])
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
            let rest = ".accessibilityLabel(Loading).accessibilityHidden"
            #expect(
                before
                    == "Group(ProgressView.controlSize(small)).opacity(0.0).animation(default, value: false)\(rest)(true)"
            )
            #expect(
                describe(view)
                    == "Group(ProgressView.controlSize(small)).opacity(1.0).animation(default, value: true)\(rest)(false)"
            )
            token.finish()
        }

        @Test func theViewStandsStillUnderReduceMotion() {
            EnvironmentValues.current.accessibilityReduceMotion = true
            defer { EnvironmentValues.current.accessibilityReduceMotion = false }
            let view = describe(NetworkActivityView(manager))
            #expect(view.hasPrefix("Group(Image(arrow.up.arrow.down)).opacity(0.0).animation(nil, value: false)"))
        }

        @Test func theModifierTakesNoTouches() {
            let view = describe(Text("Feed").networkActivityIndicator(manager, label: Text("Fetching")))
            #expect(view.hasPrefix("Text(Feed).overlay(Group("))
            #expect(view.contains("accessibilityLabel(Fetching)"))
            #expect(view.hasSuffix(".padding(4.0).allowsHitTesting(false))"))
        }

        @Test func logsWithLabelsRedacted() {
            manager.addMonitor(LogMonitor())
            scheduler.advance(by: .zero)
            runTask(label: "a user's secret")
            manager.decrementActivityCount(fileID: "App/Feed.swift", line: 9)
            let log = "NetworkIndicator/Tasks"
            #expect(
                Journal.take() == [
                    "\(log) debug: began task 1 (NetworkTaskToken) from App/Feed.swift:7 <private>",
                    "\(log) info: indicator on",
                    "\(log) debug: finished task 1 (NetworkTaskToken) from App/Feed.swift:7 <private>",
                    "\(log) info: indicator off",
                    "\(log) error: App/Feed.swift:9: decremented the activity count at zero: each decrement needs an "
                        + "increment of its own before it",
                ])
        }

        @Test func logsWhatRunsForLong() {
            manager.updateConfiguration { $0.longRunningTaskThreshold = .seconds(5) }
            manager.addMonitor(LogMonitor())
            let token = manager.beganNetworkTask(fileID: "App/Feed.swift", line: 7)
            scheduler.advance(by: .seconds(6))
            #expect(
                Journal.take().last
                    == "NetworkIndicator/Tasks notice: still running task 1 (NetworkTaskToken) from App/Feed.swift:7 <private>"
            )
            token.finish()
        }

        @Test func signpostsAreIntervalsThatMatch() {
            manager.addMonitor(SignpostMonitor())
            scheduler.advance(by: .zero)
            runTask()
            let id: UInt64 = 1 << 32
            #expect(
                Journal.take() == [
                    "begin Network task \(id + 1): <private>",
                    "begin Network indicator \(id)",
                    "end Network task \(id + 1): finished",
                    "end Network indicator \(id)",
                ])
        }
    }
}

/// `@unchecked Sendable`: touched on the main actor only.
private final class Changes: @unchecked Sendable {
    var count = 0
}
#endif
