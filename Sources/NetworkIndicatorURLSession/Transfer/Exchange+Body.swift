import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension Exchange {
    /// The body of the request.
    enum Body: Sendable {
        /// The request's own body, if any.
        case ofRequest
        case data(Data)
        case file(URL)
    }
}

#if canImport(FoundationNetworking)
extension Exchange.Body {
    /// Returns the body with the contents of its file.
    ///
    /// URLSession traps if an upload of a file ends while it reads the file, and hangs if it can't read it.
    func inMemory() throws(URLError) -> Self {
        guard case .file(let file) = self else { return self }
        // `Data` would load other URLs.
        guard file.isFileURL else {
            throw URLError(.cannotOpenFile, reason: "\(file) is not the URL of a file", url: file)
        }
        do {
            return .data(try Data(contentsOf: file, options: .mappedIfSafe))
        } catch {
            let cause = (error as? CocoaError)?.underlying as? POSIXError
            let code: URLError.Code =
                switch cause?.code {
                case .ENOENT: .fileDoesNotExist
                case .EISDIR: .fileIsDirectory
                case .EACCES: .noPermissionsToReadFile
                default: .cannotOpenFile
                }
            let reason = cause.map { String(cString: strerror($0.code.rawValue)) } ?? "\(error)"
            throw URLError(code, reason: "cannot read \(file.path): \(reason)", url: file)
        }
    }
}
#endif
