import Foundation

struct Subprocess {
    enum Kind: String {
        case idleWithManager = "--idle-with-manager"
        case idleWithoutManager = "--idle-without-manager"
        case cycles = "--cycles"
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private let process = Process()
    private let output = Pipe()

    init(_ kind: Kind) throws {
        guard let program = Bundle.main.executableURL else {
            throw Failure(description: "found no path of this program")
        }
        process.executableURL = program
        process.arguments = [kind.rawValue]
        process.standardOutput = output
        try process.run()
    }

    func number() throws -> Double {
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0, let number = Double(text) else {
            let path = process.executableURL?.path ?? ""
            throw Failure(description: "\(path) exited with \(process.terminationStatus) and printed “\(text)”")
        }
        return number
    }

    static func begin(_ kind: Kind) {
        Thread.detachNewThread {
            let number =
                switch kind {
                case .idleWithManager: IdleProcess.wakeUps(hasManager: true)
                case .idleWithoutManager: IdleProcess.wakeUps(hasManager: false)
                case .cycles: CycleProcess.bytesLeftBehind()
                }
            print(number, terminator: "")
            exit(0)
        }
    }
}
