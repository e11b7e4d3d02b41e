#if canImport(Glibc)
import Foundation

struct LineSocket: Sendable {
    let descriptor: Int32

    func forEachLine(_ body: (String) -> Void) {
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while true {
            let count = read(descriptor, &byte, 1)
            if count < 0 && errno == EINTR { continue }
            guard count == 1 else { return }
            if byte == UInt8(ascii: "\n") {
                body(String(decoding: line, as: UTF8.self))
                line = []
            } else {
                line.append(byte)
            }
        }
    }

    func send(_ line: String) {
        let bytes = Array("\(line)\n".utf8)
        _ = write(descriptor, bytes, bytes.count)
    }
}
#endif
