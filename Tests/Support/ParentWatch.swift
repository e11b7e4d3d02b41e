import Foundation

/// Ends this process when its parent process ends, because a test process or a host whose run was aborted could
/// otherwise keep a CPU core busy for hours.
package enum ParentWatch {
    package static func start() { _ = watch }

    private static let watch: Void = {
        let parent = getppid()
        Thread.detachNewThread {
            while getppid() == parent { sleep(1) }
            _exit(1)
        }
    }()
}
