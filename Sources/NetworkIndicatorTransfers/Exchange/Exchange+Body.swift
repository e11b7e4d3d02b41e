import Foundation
import NetworkIndicatorURLSession

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension Exchange {
    enum Body: Sendable {
        case ofRequest
        case data(Data)
        case file(URL)
    }
}

extension Exchange.Body {
    func makeTask(_ request: URLRequest, in session: URLSession) -> URLSessionTask {
        var request = request
        // `ExchangeClock` replaces URLSession's request timeout. The new value is finite, because URLSession on Linux
        // traps if the timeout is infinite.
        if Transport.replacesTimeout { request.timeoutInterval = 2e9 }
        // The call already tracks the attempt, so a tracked session must not track the task again.
        return SessionTracking.$isEnabled.withValue(false) {
            switch self {
            case .ofRequest: session.dataTask(with: request)
            case .data(let data): session.uploadTask(with: request, from: data)
            case .file(let url): session.uploadTask(with: request, fromFile: url)
            }
        }
    }

    init(opening file: URL) throws(URLError) {
        // `Data(contentsOf:)` would also load URLs with other schemes.
        guard file.isFileURL else {
            let reason = "\(file.withoutCredentials) is not the URL of a file"
            throw URLError(.cannotOpenFile, reason: reason, url: file)
        }
        do {
            if Transport.readsFiles {
                let handle = try FileHandle(forReadingFrom: file)
                _ = try handle.read(upToCount: 1)
                try handle.close()
                self = .file(file)
            } else {
                self = .data(try Data(contentsOf: file))
            }
        } catch {
            let cause = (error as? CocoaError)?.underlying as? POSIXError
            let reason = cause.map { String(cString: strerror($0.code.rawValue)) } ?? "\(error)"
            throw URLError(.cannotOpenFile, reason: "cannot read \(file.path): \(reason)", url: file)
        }
    }
}
