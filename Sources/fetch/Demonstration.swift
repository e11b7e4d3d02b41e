import Foundation
import LoopbackServer

/// A server on 127.0.0.1 in this process with 24 files, for a run without URLs.
struct Demonstration {
    private let server: LoopbackServer
    let urls: [URL]

    init() throws {
        let server = try LoopbackServer()
        urls = (1...24).map { number in
            let path = Self.path(number)
            server.on(path, Self.response(number))
            return server.url(path)
        }
        self.server = server
    }

    var address: URL { server.url("/") }

    /// Stops the server. Call this when all files are fetched.
    func stop() { server.stop() }

    private static func path(_ number: Int) -> String {
        let kinds = ["photo.jpg", "song.flac", "notes.txt", "archive.tar.gz", "page.html", "film.mp4"]
        let parts = kinds[number % kinds.count].split(separator: ".", maxSplits: 1)
        return "/\(parts[0])-\(number < 10 ? "0" : "")\(number).\(parts[1])"
    }

    /// Returns a response of 9 kB to 5 MB. It begins after 50 to 500 ms, and arrives in 10 pieces over up to two
    /// seconds. Six at a time, all files take about five seconds.
    private static func response(_ number: Int) -> Response {
        // Whichever 13 responses arrive first, their sizes give an estimate of the total with an error of at most 20 %.
        let size = 1_000 + number * 7 % 24 * 220_000 + number * 337
        let latency = 50 + number * 7 % 10 * 50
        let interval = 10 + number * 11 % 24 * 7
        return .generated(size: size, seed: UInt64(number))
            .delayed(by: .milliseconds(latency))
            .dripping(size / 10 + 1, every: .milliseconds(interval))
    }
}
