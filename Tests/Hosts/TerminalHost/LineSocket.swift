#if canImport(Glibc)
import Foundation

struct LineSocket: Sendable {
    let descriptor: Int32

    func forEachLine(_ body: (String) -> Void) {
        let file = fdopen(descriptor, "r")
        var (line, size) = (UnsafeMutablePointer<CChar>?.none, 0)
        while getline(&line, &size, file) > 0, let line { body(String(String(cString: line).dropLast())) }
    }

    func send(_ line: String) {
        let bytes = Array("\(line)\n".utf8)
        _ = write(descriptor, bytes, bytes.count)
    }
}
#endif
