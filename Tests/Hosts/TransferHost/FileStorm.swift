import Foundation
import LoopbackServer
import NetworkIndicator
import NetworkIndicatorTransfers
import TestSupport

struct FileStorm {
    private let runs: Int
    private let server: LoopbackServer
    private let faults: Faults
    private let session = URLSession(configuration: .ephemeral)
    private let manager = NetworkIndicatorManager(configuration: .immediate)
    private let folder: URL

    init(runs: Int, seed: UInt64) throws {
        self.runs = runs
        server = try LoopbackServer()
        faults = Faults(seed: seed)
        folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for number in 0..<Faults.fileCount {
            server.on("/\(number)") { [faults] in faults.response($0, number) }
            server.on("/moved/\(number)") { [faults] in faults.response($0, number) }
        }
    }

    func run() async throws {
        var outcomes: [String: Int] = [:]
        for _ in 0..<runs {
            let round = await withTaskGroup(of: String.self) { group in
                for number in 0..<Faults.fileCount { group.addTask { await fetch(number) } }
                return await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
            }
            outcomes.merge(round, uniquingKeysWith: +)
        }
        for outcome in ["whole", "failed", "wrong"] { report(outcome, outcomes[outcome] ?? 0) }
        report("tasks", manager.entryCount)
        report("leftovers", try FileManager.default.contentsOfDirectory(atPath: folder.path).count)
        try FileManager.default.removeItem(at: folder)
        report("others", try FileManager.default.contentsOfDirectory(atPath: NSTemporaryDirectory()).count)
    }

    private func fetch(_ number: Int) async -> String {
        var policy = TrackedRetryPolicy.retryingServerErrors
        policy.backoffBase = .milliseconds(2)
        policy.maximumRetries = 3
        var options = DownloadOptions()
        options.keepsPartialFile = number.isMultiple(of: 2)
        let request = URLRequest(url: server.url("/\(number)"), timeoutInterval: 5)
        for _ in 0..<(options.keepsPartialFile ? 20 : 1) {
            do {
                let (file, _) = try await session.trackedDownload(
                    for: request, to: folder.appending(path: "\(number)"), options: options, policy: policy,
                    manager: manager)
                let bytes = Array(try Data(contentsOf: file))
                try FileManager.default.removeItem(at: file)
                if faults.isWhole(bytes, number) { return "whole" }
                report("wrong", "\(number): \(bytes.count) bytes")
                return "wrong"
            } catch DownloadError.unrelatedResponse(_, let part) {
                // A part from the URL after a redirect never continues if the file has a new version by then.
                try? FileManager.default.removeItem(at: part)
            } catch is NetworkRequestError {
            } catch is DownloadError {
            } catch {
                report("error", error)
                return "wrong"
            }
        }
        return "failed"
    }
}

private final class Faults: Sendable {
    static let fileCount = 40

    private struct State {
        var generator: SeededGenerator
        var versions = [Int](repeating: 1, count: fileCount)
    }

    private let state: Lock<State>

    init(seed: UInt64) { state = Lock(State(generator: SeededGenerator(seed: seed))) }

    private static func size(_ number: Int) -> Int { 5_000 + number * 7_919 }

    private static func seed(_ number: Int, _ version: Int) -> UInt64 { UInt64(number * 1_000 + version) }

    func isWhole(_ bytes: [UInt8], _ number: Int) -> Bool {
        let size = Self.size(number)
        return (1...state.withLock { $0.versions[number] }).contains { version in
            Body.generated(size: size, seed: Self.seed(number, version)).bytes(in: 0..<size) == bytes
        }
    }

    func response(_ request: HTTPRequest, _ number: Int) -> Response {
        let (draw, position, version) = state.withLock { state in
            let draw = Int.random(in: 0..<100, using: &state.generator)
            if draw >= 96 { state.versions[number] += 1 }
            return (draw, Int.random(in: 0..<Self.size(number), using: &state.generator), state.versions[number])
        }
        let size = Self.size(number)
        let plain = Response.generated(size: size, seed: Self.seed(number, version))
        let file = plain.ranged(entityTag: "\"\(version)\"")
        switch draw {
        case 0..<6: return .reset
        case 6..<12: return .close
        case 12..<26: return file.cut(.close, after: position)
        case 26..<40: return file.cut(.reset, after: position)
        case 40..<41: return file.cut(.stall, after: position)
        case 41..<47: return .unavailable()
        case 47..<52 where !request.path.hasPrefix("/moved"): return .redirect(to: "moved/\(number)")
        case 52..<57: return file.chunked().cut(.close, after: position)
        case 57..<67: return wrongPart(request, plain, version, draw)
        case 67..<70: return plain
        default: return file
        }
    }

    private func wrongPart(_ request: HTTPRequest, _ file: Response, _ version: Int, _ draw: Int) -> Response {
        guard let range = request.headers["Range"], let asked = Int(range.dropFirst(6).dropLast()) else { return file }
        let size = file.body.count
        let first = draw < 60 ? max(0, asked - 1) : asked
        var response = Response(status: 206, body: .bytes(file.body.bytes(in: min(first, size)..<size)))
        response.headers["Content-Range"] = "bytes \(first)-\(size - 1)/\(size)"
        response.headers["ETag"] = ["\"\(version)\"", "W/\"\(version)\"", nil, "\"0\""][draw % 4]
        return response
    }
}
