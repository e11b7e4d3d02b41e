#if canImport(FoundationNetworking)
import Foundation
import Testing

@testable import NetworkIndicatorTransfers

struct CurlFailureTests {
    private let url = URL(string: "http://h/")!

    @Test(arguments: [
        (CurlFailure(code: 60, text: "x", certificateError: 10), URLError.Code.serverCertificateHasBadDate),
        (CurlFailure(code: 60, text: "x", certificateError: 9), .serverCertificateNotYetValid),
        (CurlFailure(code: 60, text: "x", certificateError: 18), .serverCertificateUntrusted),
        (CurlFailure(code: 35, text: "x", systemError: ECONNRESET), .networkConnectionLost),
        (CurlFailure(code: 35, text: "x", systemError: ECONNREFUSED), .secureConnectionFailed),
        (CurlFailure(code: 28, text: "x"), .timedOut),
        (CurlFailure(code: 56, text: "OpenSSL SSL_read: tlsv13 alert certificate required"), .secureConnectionFailed),
        (CurlFailure(code: 35, text: "x"), .secureConnectionFailed), (CurlFailure(code: 6, text: "x"), .cannotFindHost),
        (CurlFailure(code: 56, text: "x", connectStatus: 407), .userAuthenticationRequired),
        (CurlFailure(code: 56, text: "x", connectStatus: 503), .cannotConnectToHost),
        (CurlFailure(code: 56, text: "x", connectStatus: 404), .resourceUnavailable),
        (
            CurlFailure(code: 56, text: "Illegal or missing hexadecimal sequence in chunked-encoding"),
            .cannotParseResponse
        ),
        (CurlFailure(code: 97, text: "x", proxyError: 12), .userAuthenticationRequired),
        (CurlFailure(code: 97, text: "x", proxyError: 23), .resourceUnavailable),
        (CurlFailure(code: 97, text: "x", proxyError: 19), .cannotConnectToHost),
        (CurlFailure(code: 7, text: "x", systemError: ENETUNREACH), .cannotConnectToHost),
        (CurlFailure(code: 27, text: "x"), .cannotParseResponse), (CurlFailure(code: 999, text: "x"), .unknown),
    ])
    func codes(failure: CurlFailure, code: URLError.Code) {
        let error = failure.error(url)
        #expect(error.code == code && error.userInfo[NSURLErrorFailingURLErrorKey] as? URL == url)
        #expect(!error.localizedDescription.isEmpty)
    }
}
#endif
