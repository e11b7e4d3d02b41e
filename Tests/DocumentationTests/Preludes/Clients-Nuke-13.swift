import Foundation
import FoundationNetworking
import NetworkIndicator
import NetworkIndicatorURLSession

// The declarations of Nuke 13 that the sample uses.
protocol DataLoading: Sendable {
    func loadData(with request: URLRequest) async throws -> (AsyncThrowingStream<Data, any Error>, URLResponse)
}
