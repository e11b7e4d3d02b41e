import Foundation

package enum DescriptorLimit {
    /// On macOS, the default limit is only 256 open files.
    package static func raise() { _ = raised }

    private static let raised: Void = {
        #if canImport(Darwin)
        let resource = RLIMIT_NOFILE
        #else
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #endif
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0, limit.rlim_cur < 1_024 else { return }
        limit.rlim_cur = min(1_024, limit.rlim_max)
        setrlimit(resource, &limit)
    }()
}
