/*:
 [Previous](@previous)

 # A download

 `trackedDownload(from:to:)` writes a file, and reports its progress. A `TransferMeter` adds up the progress of any number
 of downloads.
 */
import Foundation
import NetworkIndicator
import NetworkIndicatorTransfers

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

let manager = NetworkIndicatorManager.shared
manager.attach(Printer())

let url = URL(string: "http://example.com/letters/hello.txt")!
let directory = FileManager.default.temporaryDirectory.appending(path: "Playground-\(UUID().uuidString)")
let meter = TransferMeter()

page {
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }

    let transfer = meter.beginTransfer(label: url.suggestedFilename)
    let (file, _) = try await StubServer.session.trackedDownload(
        from: url, to: directory, onEvent: transfer.receive)
    print("\(file.lastPathComponent): \(try String(contentsOf: file, encoding: .utf8))")
    print("\(meter.status.completedBytes) bytes")
    try await manager.waitUntilIdle()
}
//: [Next](@next)
