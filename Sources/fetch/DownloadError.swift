import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Why a file was not fetched.
enum DownloadError: Error, Equatable, CustomStringConvertible {
    /// An HTTP status that brings no file.
    case status(Int)
    case file(FileError)
    /// The connection ended in good order, but too early.
    case incomplete(received: Int, expected: Int)
    /// The connection ended in disorder.
    case lost(received: Int)
    case timedOut(seconds: Int, received: Int)
    case cannotConnect
    case cannotFindHost
    case noAnswer
    case tooManyRedirects
    case unusableURL
    case other(String)

    /// - Parameters:
    ///   - received: How many bytes of the body had come.
    ///   - expected: How many the answer announced, where it did.
    init(_ error: any Error, timeout: Int, received: Int, expected: Int?) {
        guard let error = error as? URLError else {
            self = .other(error.localizedDescription)
            return
        }
        switch error.code {
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

    var description: String {
        switch self {
        case .status(let status): "\(status) \(HTTPURLResponse.localizedString(forStatusCode: status))"
        case .file(let error): error.description
        case .incomplete(let received, let expected):
            "the connection ended after \(Format.size(received)) of \(Format.size(expected))"
        case .lost(let received): "the connection was lost after \(Format.size(received))"
        case .timedOut(let seconds, let received):
            "nothing came for \(seconds) s, after \(Format.size(received))"
        case .cannotConnect: "cannot connect"
        case .cannotFindHost: "cannot find the host"
        case .noAnswer: "the server closed the connection without an answer"
        case .tooManyRedirects: "too many redirects"
        case .unusableURL: "URLSession cannot use this URL (on Linux an IPv6 address needs a name)"
        case .other(let reason): reason
        }
    }
}
