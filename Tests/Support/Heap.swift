import Foundation

package enum Heap {
    /// The number of bytes that the process has allocated and not freed.
    package static var size: Int {
        #if os(Linux)
        // Swift doesn't import malloc.h.
        typealias MallocInfo = @convention(c) (Int32, UnsafeMutablePointer<FILE>) -> Int32
        let mallocInfo = unsafeBitCast(dlsym(nil, "malloc_info"), to: MallocInfo.self)
        var text: UnsafeMutablePointer<CChar>?
        var length = 0
        let file = open_memstream(&text, &length)!
        _ = mallocInfo(0, file)
        fclose(file)
        defer { free(text) }
        let total = String(cString: text!).split(separator: "</heap>").last ?? ""
        func bytes(_ type: String) -> Int {
            let element = total.firstRange(of: "type=\"\(type)\"").map { total[$0.upperBound...] } ?? ""
            let size = element.firstRange(of: "size=\"").map { element[$0.upperBound...] } ?? ""
            return Int(size.prefix(while: \.isNumber))!
        }
        return bytes("current") + bytes("mmap") - bytes("fast") - bytes("rest")
        #else
        var statistics = malloc_statistics_t()
        malloc_zone_statistics(nil, &statistics)
        return statistics.size_in_use
        #endif
    }
}
