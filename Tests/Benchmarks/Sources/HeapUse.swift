import Foundation

/// The memory that the heap has allocated.
enum HeapUse {
    struct Unknown: Error, CustomStringConvertible {
        var description: String { "the heap of this system does not report how much it has allocated" }
    }

    /// In bytes, including the heap's own overhead for each allocation.
    static var now: Int {
        get throws {
            #if canImport(Darwin)
            var statistics = malloc_statistics_t()
            malloc_zone_statistics(nil, &statistics)
            return Int(statistics.size_in_use)
            #else
            // Swift's Glibc module lacks <malloc.h>.
            typealias MallocInfo = @convention(c) (CInt, UnsafeMutablePointer<FILE>) -> CInt
            var text: UnsafeMutablePointer<CChar>?
            var size = 0
            guard let symbol = dlsym(nil, "malloc_info"), let stream = open_memstream(&text, &size) else {
                throw Unknown()
            }
            defer { free(text) }
            let isWritten = unsafeBitCast(symbol, to: MallocInfo.self)(0, stream) == 0
            fclose(stream)
            guard isWritten, let text else { throw Unknown() }
            return try inUse(String(cString: text))
            #endif
        }
    }

    /// Parses the XML of glibc's `malloc_info`, which ends with the sums of all arenas.
    static func inUse(_ xml: String) throws -> Int {
        func size(_ tag: String) throws -> Int {
            guard let line = xml.split(separator: "\n").last(where: { $0.hasPrefix("<\(tag)") }),
                let size = line.split(separator: "size=\"").last.flatMap({ Int($0.prefix(while: \.isNumber)) })
            else { throw Unknown() }
            return size
        }
        return try size("system type=\"current\"") + size("total type=\"mmap\"")
            - size("total type=\"fast\"") - size("total type=\"rest\"")
    }
}
