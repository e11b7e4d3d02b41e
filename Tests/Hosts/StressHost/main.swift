import Foundation

let arguments = CommandLine.arguments.dropFirst()
let count = arguments.dropFirst().first.flatMap { Int($0) }

switch arguments.first {
case "deinits": deinits(isMonitored: false, count: count ?? 20_000)
case "deinitsMonitored": deinits(isMonitored: true, count: count ?? 20_000)
case "mainObjects": mainObjects(rounds: count ?? 200_000)
case "capturedObjects": capturedObjects(rounds: count ?? 10_000)
default: exit(64)
}
dispatchMain()
