import Foundation
import NetworkIndicatorURLSession

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Why a file was not fetched.
enum DownloadError: Error, CustomStringConvertible {
    /// An HTTP status that brings no file.
    case status(Int)
    case file(FileError)
    /// The connection ended in good order, but too early.
    case incomplete(received: Int, expected: Int)
    /// The connection ended in disorder.
    case lost(received: Int)
    /// The server was asked for the rest of a file, and sent something else.
    case notContinued
    case timedOut(seconds: Int, received: Int)
    case cannotConnect
    case cannotFindHost
    case noAnswer
    case tooManyRedirects
    case unusableURL
    case other(String)
    indirect case repeated(DownloadError, attempts: Int)

    /// - Parameters:
    ///   - error: What an attempt or a request failed with.
    ///   - path: Where the file was to be.
    ///   - received: How many bytes of the body had come.
    ///   - expected: How many the answer announced, where it did.
    init(_ error: any Error, path: String, timeout: Int, received: Int, expected: Int?) {
        switch error {
        case let error as DownloadError: self = error
        case let error as FileError: self = .file(error)
        case AttemptFailure.status(let status, _): self = .status(status)
        case AttemptFailure.transport(let error):
            self.init(error, timeout: timeout, received: received, expected: expected)
        case let error as NetworkRequestError:
            self.init(error.underlyingError, timeout: timeout, received: received, expected: expected)
        case let error as URLError: self.init(error, timeout: timeout, received: received, expected: expected)
        default:
            if let code = Self.systemCode(error) {
                self = .file(FileError(action: .write, path: path, code: code))
            } else {
                self = .other(error.localizedDescription)
            }
        }
    }

    private init(_ error: URLError, timeout: Int, received: Int, expected: Int?) {
        switch error.code {
        case _ where error.isNotContinued: self = .notContinued
        case .timedOut: self = .timedOut(seconds: timeout, received: received)
        case .cannotConnectToHost: self = .cannotConnect
        case .cannotFindHost, .dnsLookupFailed: self = .cannotFindHost
        case .networkConnectionLost: self = .lost(received: received)
        // On Linux a FIN before the answer is this, and a FIN inside the body is unknown.
        case .badServerResponse: self = .noAnswer
        case .httpTooManyRedirects: self = .tooManyRedirects
        case .badURL: self = .unusableURL
        case .unknown where received > 0:
            self = expected.map { .incomplete(received: received, expected: $0) } ?? .lost(received: received)
        default: self = .other(error.localizedDescription)
        }
    }

    /// The `errno` of a file that could not be written.
    private static func systemCode(_ error: any Error) -> Int32? {
        let error = error as NSError
        if error.domain == NSPOSIXErrorDomain { return Int32(error.code) }
        return (error.userInfo[NSUnderlyingErrorKey] as? any Error).flatMap(systemCode)
    }

    var description: String {
        switch self {
        case .status(let status): "\(status) \(HTTPURLResponse.localizedString(forStatusCode: status))"
        case .file(let error): error.description
        case .incomplete(let received, let expected):
            "the connection ended after \(Format.size(received)) of \(Format.size(expected))"
        case .lost(let received): "the connection was lost after \(Format.size(received))"
        case .notContinued: "the server did not continue the file where it broke off"
        case .timedOut(let seconds, let received):
            "nothing came for \(seconds) s, after \(Format.size(received))"
        case .cannotConnect: "cannot connect"
        case .cannotFindHost: "cannot find the host"
        case .noAnswer: "the server closed the connection without an answer"
        case .tooManyRedirects: "too many redirects"
        case .unusableURL: "URLSession cannot use this URL (on Linux an IPv6 address needs a name)"
        case .other(let reason): reason
        case .repeated(let reason, let attempts): "\(reason) (after \(attempts) attempts)"
        }
    }
}
