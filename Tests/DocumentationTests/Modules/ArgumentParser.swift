// Stubs of swift-argument-parser 1
protocol AsyncParsableCommand {
    init()
    mutating func run() async throws
}
extension AsyncParsableCommand { static func main() async {} }
struct ArgumentHelp: ExpressibleByStringLiteral, Sendable { init(stringLiteral value: String) {} }
@propertyWrapper nonisolated struct Argument: Sendable {
    var wrappedValue = ""
    init(help: ArgumentHelp? = nil) {}
}
struct ExitCode: Error { static var failure: ExitCode { ExitCode() } }
struct ValidationError: Error { init(_ message: String) {} }
