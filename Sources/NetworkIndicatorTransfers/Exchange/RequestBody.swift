import Foundation
import NetworkIndicatorURLSession

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

enum RequestBody: Sendable {
    case ofRequest
    case data(Data)
    case file(URL)

    func makeTask(_ request: URLRequest, in session: URLSession) -> URLSessionTask {
        // The call already tracks the attempt, so a tracked session must not track the task again.
        SessionTracking.$isEnabled.withValue(false) {
            switch self {
            case .ofRequest: session.dataTask(with: request)
            case .data(let data): session.uploadTask(with: request, from: data)
            case .file(let url): session.uploadTask(with: request, fromFile: url)
            }
        }
    }

    /// Checks whether a file can be read.
    ///
    /// - Parameter intoMemory: Whether to return the data of the file.
    func opened(intoMemory: Bool) throws(URLError) -> RequestBody {
        guard case .file(let file) = self else { return self }
        // `Data(contentsOf:)` would also load URLs with other schemes.
        guard file.isFileURL else {
            let reason = "\(file.withoutCredentials) is not the URL of a file"
            throw URLError(.cannotOpenFile, reason: reason, url: file)
        }
        do {
            if intoMemory { return .data(try Data(contentsOf: file)) }
            let handle = try FileHandle(forReadingFrom: file)
            _ = try handle.read(upToCount: 1)
            try handle.close()
            return self
        } catch {
            let cause = (error as? CocoaError)?.underlying as? POSIXError
            let reason = cause.map { String(cString: strerror($0.code.rawValue)) } ?? "\(error)"
            throw URLError(.cannotOpenFile, reason: "cannot read \(file.path): \(reason)", url: file)
        }
    }
}
