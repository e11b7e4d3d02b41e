import Foundation
import NetworkIndicator
import Testing

/// Checks that the drawing in the article on visibility shows the behaviour of a manager.
///
/// `UPDATE_DRAWINGS=1 swift test --filter DrawingTests` draws it again.
@Suite struct DrawingTests {
    @Test(arguments: [("visibility", TimelineDrawing.Colors.light), ("visibility~dark", .dark)])
    @MainActor
    func drawingIsUpToDate(name: String, colors: TimelineDrawing.Colors) throws {
        let rows = Scenario.all.map { (scenario: $0, visible: $0.visibleSpans(.standard)) }
        let svg = TimelineDrawing(rows: rows, colors: colors).svg()
        let file = Texts.root.appending(path: "Sources/NetworkIndicator/Documentation.docc/Resources/\(name).svg")
        if ProcessInfo.processInfo.environment["UPDATE_DRAWINGS"] == "1" {
            try svg.write(to: file, atomically: true, encoding: .utf8)
        }
        #expect(try String(contentsOf: file, encoding: .utf8) == svg)
    }

    /// Checks the numbers in the article's description of the drawing.
    @Test @MainActor
    func theArticlesNumbers() {
        #expect(
            Scenario.all.map { $0.visibleSpans(.standard) } == [
                [], [200..<900], [200..<1_200], [260..<1_070], [200..<850],
            ])
    }
}
