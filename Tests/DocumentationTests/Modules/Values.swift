import Foundation
import NetworkIndicator
import NetworkIndicatorTerminal
import NetworkIndicatorTestKit
import NetworkIndicatorTracing

#if canImport(FoundationNetworking)
@_exported import FoundationNetworking
#endif
#if canImport(SwiftUI)
import SwiftUI
#endif

// The declarations that fragments use. A sample's own declaration of the same name hides the declaration here.
let manager = NetworkIndicatorManager.shared
let indicator = TerminalIndicator("Fetching")
let scheduler = ManualScheduler()
let recorder = (try? TimelineRecorder(writingTo: URL(filePath: "run.json")))!
let operation = BlockOperation {}
let queue = OperationQueue()
let url = URL(string: "https://example.com/atlas.zip")!
let request = URLRequest(url: url)
let session = URLSession.shared
let destination = URL(filePath: "file.zip")
let data = Data()
let body = AsyncThrowingStream<[UInt8], any Error> { $0.finish() }
@MainActor var title = "Ready"

@MainActor func show(_ isVisible: Bool) {}

struct API: Sendable {
    func users() async throws -> [String] { [] }
}
let api = API()

extension Notification.Name {
    static let taskDidResume = Notification.Name("resume")
    static let taskDidSuspend = Notification.Name("suspend")
    static let taskDidComplete = Notification.Name("complete")
}

#if canImport(SwiftUI)
struct ContentView: View {
    var body: some View { Text("Articles") }
}
#endif

#if canImport(UIKit)
@MainActor let view = UIView()
@MainActor let navigationItem = UINavigationItem()
@MainActor let spinner = UIActivityIndicatorView(style: .medium)
#elseif canImport(AppKit)
@MainActor let spinner = NSProgressIndicator()
#endif
