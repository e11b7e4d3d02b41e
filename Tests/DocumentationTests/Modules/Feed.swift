import Foundation
import NetworkIndicator

final class FeedOperation: Operation, @unchecked Sendable {
    private let manager: NetworkIndicatorManager
    private let load: @Sendable () -> Void

    init(
        manager: NetworkIndicatorManager = .shared,
        load: @escaping @Sendable () -> Void
    ) {
        self.manager = manager
        self.load = load
    }

    override func main() {
        manager.beganNetworkTask(withToken: self, label: "Feed")
        load()
    }
}
