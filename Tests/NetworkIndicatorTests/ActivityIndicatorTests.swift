import NetworkIndicatorTestKit
import Testing

@testable import NetworkIndicator

@MainActor
@Suite final class ActivityIndicatorTests: ManagerSuite {
    /// Records every value, also an initial `false`.
    private func attachRecorder() -> Lock<[Bool]> {
        let values = Lock<[Bool]>([])
        manager.attach { isVisible in values.withLock { $0.append(isVisible) } }
        return values
    }

    @Test func theFirstValueIsThePresentOne() {
        let first = attachRecorder()
        #expect(first.withLock { $0 } == [])
        settle()
        #expect(first.withLock { $0 } == [false])
        let task = manager.beganNetworkTask()
        settle()
        let second = attachRecorder()
        settle()
        #expect(first.withLock { $0 } == [false, true])
        #expect(second.withLock { $0 } == [true])
        task.finish()
    }

    @Test func anIndicatorDetachedBeforeItsFirstValueReceivesNone() {
        let values = Lock<[Bool]>([])
        manager.attach { isVisible in values.withLock { $0.append(isVisible) } }.detach()
        settle()
        #expect(values.withLock { $0 } == [])
    }

    @Test func anIndicatorWithoutItsViewIsDetachedAtTheNextChange() {
        final class View {}
        final class Adapter: ViewAdapter {
            weak var view: View?
            init(_ view: View) { self.view = view }
            var isViewDeallocated: Bool { view == nil }
            func setVisible(_ isVisible: Bool) {}
        }
        var views = (0..<3).map { _ in View() }
        for view in views { manager.attach(Adapter(view)) }
        settle()
        #expect(manager.observerCount == 3)
        views.removeLast(2)
        manager.incrementActivityCount()
        settle()
        #expect(manager.observerCount == 1)
        manager.decrementActivityCount()
        settle()
        #expect(manager.observerCount == 1)
    }

    /// The task ends in a nested run loop of the first indicator.
    @Test func streamsReceiveChangesThatIndicatorsMiss() async {
        let (manager, scheduler) = (manager, scheduler)
        manager.attach { isVisible in
            guard isVisible else { return }
            manager.decrementActivityCount()
            scheduler.advance(by: .seconds(1))
        }
        let other = attachRecorder()
        settle()
        var updates = manager.visibilityUpdates.makeAsyncIterator()
        manager.incrementActivityCount()
        settle()
        #expect(await [updates.next(), updates.next(), updates.next()] == [false, true, false])
        #expect(other.withLock { $0 } == [false])
    }
}
