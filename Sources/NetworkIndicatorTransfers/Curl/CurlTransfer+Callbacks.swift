#if canImport(FoundationNetworking)
import CLibcurl
import Foundation
import FoundationNetworking

/// The functions that libcurl calls on the engine's thread.
extension CurlTransfer {
    /// The pointer that they receive is valid, because the engine retains the transfer until it is closed.
    static let callbacks = NICallbacks(
        received: { bytes, size, count, transfer in
            let data = UnsafeRawBufferPointer(start: bytes, count: size * count)
            let transfer = CurlTransfer.of(transfer)
            if transfer.mustPause() { return Int(NI_WRITE_PAUSE) }
            return transfer.receive(data) ? data.count : 0
        },
        header: { line, size, count, transfer in
            let line = UnsafeRawBufferPointer(start: line, count: size * count)
            return CurlTransfer.of(transfer).receive(header: line) ? line.count : 0
        },
        read: { CurlTransfer.of($3).read(into: UnsafeMutableRawBufferPointer(start: $0, count: $1 * $2)) },
        // libcurl sends a body again if the connection of an earlier request has been closed.
        seek: { transfer, offset, _ in
            CurlTransfer.of(transfer).sentBytes = offset
            return 0
        },
        resolves: { _, _, transfer in
            let transfer = CurlTransfer.of(transfer)
            transfer.isResolving = true
            transfer.noteActivity()
            // The wire's clock ends a call earlier: at the end of this time, libcurl would wait for a lookup.
            transfer.setTimeout(NI_OPT_CONNECTTIMEOUT_MS, transfer.request.timeoutInterval + 0.5)
            return 0
        },
        opens: { transfer, socket, _ in
            // Programs that this program starts must not inherit the socket.
            _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
            let transfer = CurlTransfer.of(transfer)
            // All addresses of a host share the timeout.
            if !transfer.isConnecting {
                transfer.noteActivity()
                transfer.setTimeout(NI_OPT_CONNECTTIMEOUT_MS, transfer.request.timeoutInterval + 5)
            }
            (transfer.isResolving, transfer.isConnecting) = (false, true)
            return transfer.client != nil ? 0 : 1
        },
        connected: { transfer, _, _, _, _ in CurlTransfer.of(transfer).beginRequest() ? 0 : 1 },
        reported: { transfer, _, _, _, sent in
            CurlTransfer.of(transfer).report(sent)
            return 0
        })

    private static func of(_ pointer: UnsafeMutableRawPointer?) -> CurlTransfer {
        Unmanaged<CurlTransfer>.fromOpaque(pointer!).takeUnretainedValue()
    }
}
#endif
