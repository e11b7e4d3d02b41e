import Foundation

#if canImport(PlaygroundSupport)
import PlaygroundSupport
#endif

/// Runs the asynchronous code of a page on the main actor, and then ends the page. Call this function last.
@MainActor
public func page(_ code: @escaping @MainActor () async throws -> Void) {
    #if canImport(PlaygroundSupport)
    PlaygroundPage.current.needsIndefiniteExecution = true
    #endif
    Task {
        do { try await code() } catch { print("error: \(error)") }
        #if canImport(PlaygroundSupport)
        PlaygroundPage.current.finishExecution()
        #else
        exit(0)
        #endif
    }
    #if !canImport(PlaygroundSupport)
    RunLoop.main.run()
    #endif
}

#if canImport(SwiftUI)
import SwiftUI

/// Shows a view beside the page. Outside Xcode, this function has no effect.
@MainActor
public func show(_ view: some View) {
    #if canImport(PlaygroundSupport)
    PlaygroundPage.current.setLiveView(view)
    #endif
}
#endif
