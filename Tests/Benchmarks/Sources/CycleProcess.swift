import Foundation
import NetworkIndicator

enum CycleProcess {
    static let count = 1_000

    /// The growth of the process's largest resident size.
    static func bytesLeftBehind() -> Double {
        var configuration = NetworkIndicatorManager.Configuration.immediate
        configuration.showDelay = .milliseconds(1)
        configuration.hideDelay = .milliseconds(1)
        let manager = NetworkIndicatorManager(configuration: configuration)
        let changes = DispatchSemaphore(value: 0)
        manager.attach { _ in changes.signal() }
        changes.wait()
        func showAndHide() {
            let token = manager.beganNetworkTask()
            changes.wait()
            token.finish()
            changes.wait()
        }
        for _ in 0..<count { showAndHide() }
        let before = residentSize
        for _ in 0..<count { showAndHide() }
        return Double(residentSize - before)
    }

    private static var residentSize: Int {
        #if canImport(Darwin)
        rusage.current.ru_maxrss
        #else
        rusage.current.ru_maxrss * 1024
        #endif
    }
}
