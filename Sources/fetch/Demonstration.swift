import Foundation
import LoopbackServer

/// What happens without a URL: a server on 127.0.0.1 in this process, and two dozen files from it.
struct Demonstration {
    private let server: LoopbackServer
    let urls: [URL]

    init() throws {
        server = try LoopbackServer()
        let server = server
        urls = (1...24).map { number in
            let path = Self.path(number)
            server.on(path, Self.answer(number))
            return server.url(path)
        }
    }

    /// Where the files come from.
    var address: String { server.url("/").absoluteString }

    /// To be called once everything is fetched.
    func stop() { server.stop() }

    private static func path(_ number: Int) -> String {
        let kinds = ["photo.jpg", "song.flac", "notes.txt", "archive.tar.gz", "page.html", "film.mp4"]
        let parts = kinds[number % kinds.count].split(separator: ".", maxSplits: 1)
        return "/\(parts[0])-\(number < 10 ? "0" : "")\(number).\(parts[1])"
    }

    /// From 3 kB to 6 MB, after 50 to 500 ms, in 10 pieces over up to two seconds: no two alike, and with six at once about
    /// five seconds for all.
    private static func answer(_ number: Int) -> Answer {
        let size = 1_000 + number * number % 25 * 250_000 + number * 337
        let latency = 50 + number * 7 % 10 * 50
        let interval = 10 + number * 11 % 24 * 7
        return .generated(size: size, seed: UInt64(number))
            .delayed(by: .milliseconds(latency))
            .dripping(size / 10 + 1, every: .milliseconds(interval))
    }
}
