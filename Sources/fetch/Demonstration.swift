import Foundation
import LoopbackServer

struct Demonstration {
    let server: LoopbackServer
    let urls: [URL]

    init() throws {
        server = try LoopbackServer()
        let kinds = ["photo.jpg", "song.flac", "notes.txt", "archive.tar.gz", "page.html", "film.mp4"]
        urls = (1...24).map { [server] number in
            let path = "/\(number < 10 ? "0" : "")\(number)-\(kinds[number % kinds.count])"
            let size = 450_000 + number * 7 % 24 * 47_000 + number * 337
            let response = Response.generated(size: size, seed: UInt64(number)).ranged(entityTag: "\"\(number)\"")
                .delayed(by: .milliseconds(20 + number * 7 % 10 * 10))
                .dripping(50_000, every: .milliseconds(45 + number * 11 % 24))
            // One connection is lost, to show a retry.
            server.on(path, number == 9 ? response.cut(.reset, after: size / 2) : response, response)
            return server.url(path)
        }
    }
}
