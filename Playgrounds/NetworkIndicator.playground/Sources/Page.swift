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
