import Foundation
import NetworkIndicator
import Testing

@MainActor
struct DrawingTests {
    private let spans = Scenario.all.map { $0.visibleSpans(.standard) }

    @Test(arguments: ["visibility", "visibility~dark"]) func theDrawing(name: String) throws {
        let file = Sample.root.appending(path: "Sources/NetworkIndicator/Documentation.docc/Resources/\(name).svg")
        let drawing = try String(contentsOf: file, encoding: .utf8)
        for scenario in Scenario.all { #expect(drawing.contains(">\(scenario.title)<")) }
        #expect(drawing.matches(of: />(\d+)–(\d+)</).map { "\($0.1)..<\($0.2)" } == spans.joined().map { "\($0)" })
    }

    @Test func theTimelinesOfThePlayground() throws {
        func text(_ path: String) throws -> String {
            try String(contentsOf: Sample.root.appending(path: path), encoding: .utf8)
        }
        let article = try text("Sources/NetworkIndicator/Documentation.docc/Visibility.md")
        let drawing = try #require(article.firstMatch(of: /```\n(Short tasks\n.*?)```/.dotMatchesNewlines())).1
        #expect(try text("Playgrounds/Expected/4-Delays-and-flicker.txt").contains(drawing))
    }
}
