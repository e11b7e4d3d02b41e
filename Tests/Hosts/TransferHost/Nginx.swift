#if os(Linux)
import Foundation
import LoopbackServer
import NetworkIndicator

/// A server with TLS, whose certificate requests trust after ``trust()``.
struct Nginx {
    var port: UInt16 { reserved.port }
    /// Until nginx listens on the port, this server prevents other programs from using it.
    private let reserved: LoopbackServer
    private let process = Process()
    private let path = NSTemporaryDirectory()

    init(options: String, _ rules: String) throws {
        try shell(
            """
            cd \(path) && openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 \
                -subj /CN=127.0.0.1 -addext subjectAltName=IP:127.0.0.1 -keyout key.pem -out cert.pem
            """)
        reserved = try LoopbackServer(isListening: false)
        let configuration = """
            user \(NSUserName());  # Otherwise, the workers of root couldn't read a private directory.
            worker_processes 2;
            pid \(path)/pid;
            error_log \(path)/error.log;
            events { worker_connections 256; }
            http {
                access_log off;
                client_body_temp_path \(path)/body; proxy_temp_path \(path)/proxy; fastcgi_temp_path \(path)/fastcgi;
                uwsgi_temp_path \(path)/uwsgi; scgi_temp_path \(path)/scgi;
                server {
                    listen 127.0.0.1:\(reserved.port) \(options);
                    ssl_certificate \(path)/cert.pem;
                    ssl_certificate_key \(path)/key.pem;
                    \(rules)
                }
            }
            """
        try Data(configuration.utf8).write(to: URL(filePath: "\(path)/nginx.conf"))
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "setpriv", "--pdeathsig", "TERM", "nginx", "-p", path, "-c", "\(path)/nginx.conf", "-g", "daemon off;",
        ]
        (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
        // The signal comes at the end of the thread that starts the process, so this thread never ends.
        let (result, isStarted) = (Lock<Result<Void, any Error>?>(nil), DispatchSemaphore(value: 0))
        Thread.detachNewThread { [process] in
            let end = Result { try process.run() }
            result.withLock { $0 = end }
            isStarted.signal()
            while true { pause() }
        }
        isStarted.wait()
        try result.withLock(\.self)?.get()
    }

    func url(_ path: String) -> URL { URL(string: "https://127.0.0.1:\(port)\(path)")! }

    func trust() { setenv("SSL_CERT_FILE", "\(path)/cert.pem", 1) }

    func makeFolderOfAuthorities() throws -> String {
        let folder = "\(path)/authorities"
        try shell("mkdir \(folder) && cd \(folder) && ln -s ../cert.pem $(openssl x509 -hash -noout -in ../cert.pem).0")
        return folder
    }

    func waitUntilReady(_ isReady: () async -> Bool) async throws {
        while await !isReady() {
            guard process.isRunning else { throw CommandError(command: "nginx", status: process.terminationStatus) }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    /// Starts a program that serves the same certificate.
    func startOpenSSL(_ arguments: String) throws -> Process {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments =
            ["setpriv", "--pdeathsig", "TERM", "openssl"] + arguments.components(separatedBy: " ")
            + ["-cert", "\(path)/cert.pem", "-key", "\(path)/key.pem", "-CAfile", "\(path)/cert.pem"]
        (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
        try process.run()
        return process
    }

    func stop() {
        process.terminate()
        process.waitUntilExit()
    }
}
#endif
