#if canImport(FoundationNetworking)
import CLibcurl
import Foundation
import FoundationNetworking

/// The functions that libcurl calls on the engine's thread.
extension CurlTransfer {
    static let callbacks = NICallbacks(
        received: { bytes, size, count, transfer in
            let data = UnsafeRawBufferPointer(start: bytes, count: size * count)
            return outside(transfer) {
                if $0.mustPause() { return Int(NI_WRITE_PAUSE) }
                $0.receive(data)
                return data.count
            }
        },
        header: { line, size, count, transfer in
            let line = UnsafeRawBufferPointer(start: line, count: size * count)
            return outside(transfer) { $0.receive(header: line) ? line.count : 0 }
        },
        read: { bytes, size, count, transfer in
            let buffer = UnsafeMutableRawBufferPointer(start: bytes, count: size * count)
            return outside(transfer) { $0.read(into: buffer) }
        },
        // libcurl sends a body again if the connection of an earlier request has been closed.
        seek: { transfer, offset, _ in
            outside(transfer) {
                $0.sentBytes = offset
                return 0
            }
        },
        resolves: { _, _, transfer in
            outside(transfer) {
                $0.isResolving = true
                $0.noteActivity()
                // The wire's clock ends a call earlier: at the end of this time, libcurl would wait for a lookup.
                $0.setTimeout(NI_OPT_CONNECTTIMEOUT_MS, $0.request.timeoutInterval + 0.5)
                return 0
            }
        },
        opens: { transfer, _, address in
            outside(transfer) {
                $0.isResolving = false
                guard $0.client != nil, let address = address?.pointee else { return -1 }
                // Programs that this program starts must not inherit the socket.
                return socket(address.family, address.type | Int32(SOCK_CLOEXEC.rawValue), address.protocol)
            }
        },
        connected: { transfer, _, _, _, _ in outside(transfer) { $0.beginRequest() ? 0 : 1 } },
        reported: { transfer, _, _, _, sent in
            outside(transfer) {
                $0.report(sent)
                return 0
            }
        })

    /// The process can end while the callback runs, for example because a disk is slow.
    ///
    /// - Parameter pointer: Valid, because the engine retains the transfer until it is closed.
    private static func outside<Result>(
        _ pointer: UnsafeMutableRawPointer?, _ body: (CurlTransfer) -> Result
    ) -> Result {
        ni_leave()
        defer { ni_enter() }
        return body(Unmanaged<CurlTransfer>.fromOpaque(pointer!).takeUnretainedValue())
    }
}
#endif
