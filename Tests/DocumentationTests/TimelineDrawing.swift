/// Draws scenarios as SVG.
struct TimelineDrawing {
    struct Colors {
        let text: String
        let secondary: String
        let line: String
        let task: String
        let weakTask: String
        let indicator: String

        static let light = Colors(
            text: "#1d1d1f", secondary: "#6e6e73", line: "#d2d2d7", task: "#0071e3", weakTask: "#7d4bc8",
            indicator: "#c2410c")
        static let dark = Colors(
            text: "#f5f5f7", secondary: "#a1a1a6", line: "#424245", task: "#2997ff", weakTask: "#b48cf2",
            indicator: "#ff9f43")
    }

    /// Each scenario, and when the indicator is on, in milliseconds.
    let rows: [(scenario: Scenario, visible: [Range<Int>])]
    let colors: Colors

    private let left = 90
    private let width = 600
    private let rowHeight = 84

    private func x(_ time: Int) -> Int { left + time * width / Scenario.length }

    func svg() -> String {
        let bottom = 8 + rows.count * rowHeight
        var lines = [
            """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 \(bottom + 44)" width="720" height="\(bottom + 44)" \
            font-family="system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif" font-size="13" role="img">
            """,
            "<title>When the indicator is on</title>",
        ]
        for time in stride(from: 0, through: Scenario.length, by: 500) {
            lines.append(
                """
                <text x="\(x(time))" y="\(bottom + 18)" text-anchor="middle" fill="\(colors.secondary)">\(time)</text>
                """)
        }
        lines.append(
            """
            <text x="\(left + width / 2)" y="\(bottom + 36)" text-anchor="middle" \
            fill="\(colors.secondary)">milliseconds</text>
            """)
        for (index, row) in rows.enumerated() { lines += group(row.scenario, row.visible, top: 8 + index * rowHeight) }
        return lines.joined(separator: "\n") + "\n</svg>\n"
    }

    private func group(_ scenario: Scenario, _ visible: [Range<Int>], top: Int) -> [String] {
        var lines = [
            "<text x=\"\(left + 4)\" y=\"\(top + 18)\" font-weight=\"600\" fill=\"\(colors.text)\">\(scenario.title)</text>",
            label("tasks", y: top + 40), label("indicator", y: top + 64),
            "<path d=\"M\(left) \(top + 72)H\(left + width)\" stroke=\"\(colors.line)\"/>",
        ]
        for time in stride(from: 0, through: Scenario.length, by: 500) {
            lines.append("<path d=\"M\(x(time)) \(top + 26)V\(top + 76)\" stroke=\"\(colors.line)\"/>")
        }
        for task in scenario.tasks {
            lines.append(bar(task.span, y: top + 28, color: task.isWeak ? colors.weakTask : colors.task))
        }
        for span in visible {
            lines.append(bar(span, y: top + 52, color: colors.indicator))
            // The numbers are beside the bar, where they don't cover those of the next one.
            lines.append(
                """
                <text x="\(x(span.upperBound) + 6)" y="\(top + 64)" fill="\(colors.text)">\
                \(span.lowerBound)–\(span.upperBound)</text>
                """)
        }
        if visible.isEmpty {
            lines.append("<text x=\"\(left + 4)\" y=\"\(top + 64)\" fill=\"\(colors.secondary)\">stays off</text>")
        }
        return lines
    }

    private func label(_ text: String, y: Int) -> String {
        "<text x=\"\(left - 10)\" y=\"\(y)\" text-anchor=\"end\" fill=\"\(colors.secondary)\">\(text)</text>"
    }

    private func bar(_ span: Range<Int>, y: Int, color: String) -> String {
        "<rect x=\"\(x(span.lowerBound))\" y=\"\(y)\" width=\"\(x(span.upperBound) - x(span.lowerBound))\" height=\"16\" "
            + "rx=\"3\" fill=\"\(color)\"/>"
    }
}
