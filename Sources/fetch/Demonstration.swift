import Foundation
import LoopbackServer

/// A server in this process with 24 files, for a run without URLs.
struct Demonstration {
    let server: LoopbackServer
    let urls: [URL]

    /// Starts the server. A response has 9 kB to 5 MB. It begins after 50 to 500 ms, and arrives in 10 pieces within
    /// another 1.6 seconds. With six downloads at a time, the run takes about five seconds.
    init() throws {
        let server = try LoopbackServer()
        let kinds = ["photo.jpg", "song.flac", "notes.txt", "archive.tar.gz", "page.html", "film.mp4"]
        urls = (1...24).map { number in
            let path = "/\(number < 10 ? "0" : "")\(number)-\(kinds[number % kinds.count])"
            // The average size of any 13 successive files estimates the total size with an error of at most 20 %.
            let size = 1_000 + number * 7 % 24 * 220_000 + number * 337
            let response = Response.generated(size: size, seed: UInt64(number))
                .delayed(by: .milliseconds(50 + number * 7 % 10 * 50))
            server.on(path, response.dripping(size / 10 + 1, every: .milliseconds(10 + number * 11 % 24 * 7)))
            return server.url(path)
        }
        self.server = server
    }
}
