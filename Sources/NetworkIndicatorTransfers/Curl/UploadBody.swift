#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking

/// The body of a request, which libcurl reads in pieces.
struct UploadBody: Sendable {
    let length: Int64
    /// Copies bytes, starting at an offset, into a buffer, and returns their number, or a negative number.
    let read: @Sendable (Int64, UnsafeMutableRawBufferPointer) -> Int

    init(_ data: Data) {
        length = Int64(data.count)
        read = { offset, buffer in
            let rest = data.dropFirst(Int(offset)).prefix(buffer.count)
            rest.copyBytes(to: buffer)
            return rest.count
        }
    }

    /// - Parameter file: A regular file.
    private init(_ file: FileHandle, length: Int64) {
        self.length = length
        read = { offset, buffer in
            if offset == length { return 0 }
            let size = min(buffer.count, Int(length - offset))
            let count = pread(file.fileDescriptor, buffer.baseAddress, size, off_t(offset))
            return count == 0 ? -1 : count
        }
    }

    /// Opens a file, or reads a stream into memory, and may therefore block.
    ///
    /// - Returns: `nil` if the request has no body.
    static func of(_ request: URLRequest, _ body: RequestBody) throws(URLError) -> UploadBody? {
        switch body {
        case .data(let data): return UploadBody(data)
        case .file(let url):
            return try RequestBody.reading(url) { file in
                var status = stat()
                guard fstat(file.fileDescriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
                    return UploadBody(try file.readToEnd() ?? Data())
                }
                return UploadBody(file, length: Int64(status.st_size))
            }
        case .ofRequest:
            if let data = request.httpBody { return UploadBody(data) }
            if let stream = request.httpBodyStream { return UploadBody(try stream.readToEnd()) }
            // Servers may reject a request of these methods that doesn't announce a length (RFC 9110, 8.6).
            return ["POST", "PUT", "PATCH"].contains(request.httpMethod) ? UploadBody(Data()) : nil
        }
    }
}

extension InputStream {
    fileprivate func readToEnd() throws(URLError) -> Data {
        open()
        defer { close() }
        var data = Data()
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(&buffer, maxLength: buffer.count)
            if count < 0 { throw URLError(.cannotOpenFile, reason: "cannot read the body stream", url: nil) }
            if count == 0 { return data }
            data.append(contentsOf: buffer[..<count])
        }
    }
}
#endif
