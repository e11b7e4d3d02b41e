import Foundation
import NetworkIndicator
import NetworkIndicatorTestKit
import Testing

@testable import NetworkIndicatorURLSession

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Downloads of AV assets raise an exception when their request is read.
@MainActor
@Suite struct AssetDownloadTests {
    private let manager = NetworkIndicatorManager(configuration: .standard, scheduler: ManualScheduler())

    @Test("The request isn't read if that raises an exception")
    func assetDownloads() {
        final class AVAssetDownloadTask {}
        final class AVAggregateAssetDownloadTask {}
        final class __NSCFBackgroundAVAssetDownloadTask {}
        final class __NSCFBackgroundAVAggregateAssetDownloadTaskNoChildTask {}
        let types: [any Any.Type] = [
            AVAssetDownloadTask.self, AVAggregateAssetDownloadTask.self, __NSCFBackgroundAVAssetDownloadTask.self,
            __NSCFBackgroundAVAggregateAssetDownloadTaskNoChildTask.self,
        ]
        for type in types { #expect(URLSessionTask.hasNoRequest(type)) }
        for type in [URLSessionTask.self, URLSessionDataTask.self, URLSessionDownloadTask.self] {
            #expect(!URLSessionTask.hasNoRequest(type))
        }
    }

    #if canImport(FoundationNetworking)
    @Test("A task whose request can't be read is tracked by itself, and not as one of a session")
    func assetDownload() {
        final class AVAssetDownloadTask: URLSessionDataTask, @unchecked Sendable {
            override var originalRequest: URLRequest? {
                Issue.record("The request was read")
                return nil
            }
        }
        let task = AVAssetDownloadTask()
        let origin = CallSite(fileID: #fileID, line: #line)
        SessionTracking(manager: manager, isTracked: { _ in true }, origin: origin).track(task)
        #expect(manager.activeTaskCount == 0)
        let parked = ParkedTasks(now: ManualClock().now)
        task.tracked(by: manager, label: nil, origin: origin, parkedTasks: parked)
        #expect(manager.activeTaskCount == 1)
    }
    #endif
}
