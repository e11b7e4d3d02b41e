#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

package enum DescriptorLimit {
    /// Raises the limit of open files to 1,024 for this process and its subprocesses. The default on macOS is 256.
    package static func raise() { _ = raised }

    private static let raised: Bool = {
        #if canImport(Darwin)
        let resource = RLIMIT_NOFILE
        #else
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #endif
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0, limit.rlim_cur < 1_024 else { return false }
        limit.rlim_cur = min(1_024, limit.rlim_max)
        return setrlimit(resource, &limit) == 0
    }()
}
