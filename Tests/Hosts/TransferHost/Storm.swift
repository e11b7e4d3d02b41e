import Foundation
import LoopbackServer
import NetworkIndicator
import NetworkIndicatorTransfers

struct Storm {
    private let rounds: Int
    private let server: LoopbackServer
    private let closedServer: LoopbackServer
    private let session = URLSession(configuration: .default)
    private let manager = NetworkIndicatorManager(configuration: .immediate)
    private let policy: TrackedRetryPolicy = {
        var policy = TrackedRetryPolicy.standard
        policy.backoffBase = .milliseconds(2)
        return policy
    }()
    private static let size = 20_000
    private let body = URL(filePath: NSTemporaryDirectory() + "body")

    init(rounds: Int) throws {
        self.rounds = rounds
        try Data(count: 100_000).write(to: body)
        server = try LoopbackServer()
        closedServer = try LoopbackServer(isListening: false)
        let file = Response.generated(size: Self.size)
        server.on("/ok", file)
        server.on("/ranged", file.ranged(entityTag: "\"1\""))
        server.on("/late", file.delayed(by: .milliseconds(3)))
        server.on("/drip", file.dripping(2_000, every: .milliseconds(1)))
        server.on("/silent", .silence)
        server.on("/reset", .reset)
        server.on("/cut", file.ranged(entityTag: "\"1\"").cut(.close, after: 15_000))
    }

    func run() async throws {
        var total: [String: Int] = [:]
        for round in 1...rounds {
            for isRace in [false, true] {
                let outcomes = await withTaskGroup(of: String.self) { group in
                    for number in 0..<100 {
                        group.addTask { isRace ? await race(number) : await request(number) }
                    }
                    var outcomes: [String] = []
                    while let outcome = await group.next() {
                        outcomes.append(outcome)
                        if !isRace, outcomes.count > round * 50 / rounds { group.cancelAll() }
                    }
                    return outcomes
                }
                for outcome in outcomes { total[outcome, default: 0] += 1 }
            }
        }
        try FileManager.default.removeItem(at: body)
        let leftovers = try FileManager.default.contentsOfDirectory(atPath: NSTemporaryDirectory())
        for outcome in ["whole", "cancelled", "failed", "wrong"] { report(outcome, total[outcome] ?? 0) }
        report("tasks", manager.entryCount)
        report("files", leftovers.count)
    }

    private func race(_ number: Int) async -> String {
        // Without the cancellation, requests 0 and 49 succeed, the connection of 7 is refused, and the server breaks
        // the connections of 5 and 6.
        let call = Task { await request([0, 7, 49, 5, 6][number % 5]) }
        try? await Task.sleep(for: .microseconds(Int.random(in: 0..<30_000)))
        call.cancel()
        return await call.value
    }

    private func request(_ number: Int) async -> String {
        let paths = ["/ok", "/late", "/drip", "/ranged", "/silent", "/reset", "/cut"]
        let isRefused = number % 8 == 7
        let url = (isRefused ? closedServer : server).url(paths[number % 7])
        var request = URLRequest(url: url, timeoutInterval: 1)
        do {
            let bytes: Data
            switch number % 3 {
            case 0:
                (bytes, _) = try await session.trackedData(for: request, policy: policy, manager: manager)
            case 1:
                let (file, _) = try await session.trackedDownload(for: request, policy: policy, manager: manager)
                bytes = try Data(contentsOf: file)
                try FileManager.default.removeItem(at: file)
            default:
                request.httpMethod = "PUT"
                (bytes, _) = try await session.trackedUpload(
                    for: request, fromFile: body, policy: policy, manager: manager)
            }
            return Array(bytes) == Body.generated(size: Self.size, seed: 1).bytes(in: 0..<Self.size) ? "whole" : "wrong"
        } catch is CancellationError {
            return "cancelled"
        } catch is NetworkRequestError {
            return "failed"
        } catch {
            report("error", error)
            return "wrong"
        }
    }
}
