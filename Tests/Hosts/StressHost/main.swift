import Foundation

let arguments = CommandLine.arguments.dropFirst()
let count = arguments.dropFirst().first.flatMap { Int($0) }

switch arguments.first {
case "deinits": Deinits(isMonitored: false, count: count ?? 20_000).run()
case "deinitsMonitored": Deinits(isMonitored: true, count: count ?? 20_000).run()
case "mainObjects": MainObjects(rounds: count ?? 200_000).run()
case "capturedObjects": CapturedObjects(rounds: count ?? 10_000).run()
default: exit(64)
}
dispatchMain()
