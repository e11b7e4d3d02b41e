// module ArgumentParser
import NetworkIndicator

// Stubs of swift-argument-parser 1
protocol AsyncParsableCommand {
    init()
    mutating func run() async throws
}
extension AsyncParsableCommand { static func main() async {} }
nonisolated struct ArgumentHelp: ExpressibleByStringLiteral, Sendable { init(stringLiteral value: String) {} }
@propertyWrapper nonisolated struct Argument: Sendable {
    var wrappedValue = ""
    init(help: ArgumentHelp? = nil) {}
}
nonisolated struct ExitCode: Error { static var failure: ExitCode { ExitCode() } }
nonisolated struct ValidationError: Error { init(_ message: String) {} }
