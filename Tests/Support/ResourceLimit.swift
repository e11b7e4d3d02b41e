package import Foundation

package enum ResourceLimit {
    #if canImport(Glibc)
    package typealias Resource = __rlimit_resource
    #else
    package typealias Resource = Int32
    #endif

    /// Changes the limit of this process, up to its largest value.
    package static func set(_ resource: Resource, to number: rlim_t, ifLower: Bool = false) {
        #if canImport(Glibc)
        let resource = __rlimit_resource_t(resource.rawValue)
        #endif
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0, !ifLower || limit.rlim_cur < number else { return }
        limit.rlim_cur = min(number, limit.rlim_max)
        setrlimit(resource, &limit)
    }

    /// On macOS, the default limit is only 256 open files.
    package static func raiseDescriptors() { set(RLIMIT_NOFILE, to: 1_024, ifLower: true) }
}
