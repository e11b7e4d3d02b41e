import Foundation
import LoopbackServer
import NetworkIndicator
import NetworkIndicatorTransfers

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Requests that are refused and cancelled at the same time, before or just after their tasks begin to load.
struct EarlyCancellations {
    func run(_ count: Int) async throws {
        let server = try LoopbackServer(isListening: false)
        let url = server.url("/")
        let session = URLSession(configuration: .default)
        let manager = NetworkIndicatorManager(configuration: .immediate)
        var ends: Set<String> = []
        for number in 0..<count {
            let call = Task {
                do {
                    _ = try await session.trackedData(from: url, policy: .never, manager: manager)
                    return "complete"
                } catch is CancellationError {
                    return "cancelled"
                } catch {
                    return "refused"
                }
            }
            if number % 100 == 99 { _ = await call.value }
            for _ in 0..<(number % 100) { await Task.yield() }
            call.cancel()
            ends.insert(await call.value)
        }
        report("ends", ends.sorted())
    }
}
