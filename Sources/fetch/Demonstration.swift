import Foundation
import LoopbackServer

struct Demonstration {
    let server: LoopbackServer
    let urls: [URL]

    init() throws {
        let server = try LoopbackServer()
        let kinds = ["photo.jpg", "song.flac", "notes.txt", "archive.tar.gz", "page.html", "film.mp4"]
        urls = (1...24).map { number in
            let path = "/\(number < 10 ? "0" : "")\(number)-\(kinds[number % kinds.count])"
            let size = 1_000 + number * 7 % 24 * 220_000 + number * 337
            let response = Response.generated(size: size, seed: UInt64(number))
                .delayed(by: .milliseconds(50 + number * 7 % 10 * 50))
            server.on(path, response.dripping(size / 10 + 1, every: .milliseconds(10 + number * 11 % 24 * 7)))
            return server.url(path)
        }
        self.server = server
    }
}
