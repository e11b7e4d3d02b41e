import Foundation

/// Cost against live tasks, both axes logarithmic, as an SVG that is readable on a light and on a dark background.
struct Plot {
    private struct Line {
        let name: String
        /// The class of its elements.
        let style: String
        let points: [(live: Double, nanoseconds: Double)]

        var isBaseline: Bool { name.hasPrefix("baseline.") }
    }

    private let lines: [Line]
    private let decades: (x: ClosedRange<Int>, y: ClosedRange<Int>)

    private static let size = (width: 820.0, height: 460.0)
    private static let frame = (left: 70.0, right: 590.0, top: 56.0, bottom: 404.0)
    /// The rows to draw, each with its color on a light and on a dark background.
    private static let palette = [
        ("weak.begin-finish", "#0969da", "#58a6ff"), ("opaque.begin-finish", "#1a7f37", "#3fb950"),
        ("count.inc-dec", "#8250df", "#bc8cff"), ("poll", "#9a6700", "#d29922"),
        ("baseline.weak-filter", "#cf222e", "#ff7b72"), ("baseline.main-queue-counter", "#bc4c00", "#f0883e"),
        ("baseline.id-set", "#6e7781", "#9198a1"),
    ]

    /// Returns `nil` if no row was measured with several numbers of live tasks.
    init?(_ measurements: [Measurement]) {
        lines = Self.palette.enumerated().compactMap { index, style in
            let points = measurements.filter { $0.row.name == style.0 }.map { (Double($0.row.live), $0.median) }
            return points.count < 2 ? nil : Line(name: style.0, style: "c\(index)", points: points)
        }
        let points = lines.flatMap(\.points)
        guard let mostLive = points.map(\.live).max(), let cheapest = points.map(\.nanoseconds).min(),
            let dearest = points.map(\.nanoseconds).max(), let leastLive = points.map(\.live).min()
        else { return nil }
        decades = (
            Int(log10(leastLive).rounded(.down))...Int(log10(mostLive).rounded(.up)),
            Int(log10(cheapest).rounded(.down))...max(Int(log10(dearest).rounded(.up)), 1)
        )
    }

    var svg: String {
        let title = "Cost of one begin and end, or of one poll, against the number of live tasks"
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Int(Self.size.width)) \(Int(Self.size.height))" role="img" \
            aria-label="\(title)" font-family="-apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif" font-size="13">
            <style>
            \(Self.style)
            </style>
            <text class="ink" x="\(Self.frame.left)" y="28" font-size="15" font-weight="600">\(title)</text>
            \(grid.joined(separator: "\n"))
            \(lines.map(draw).joined(separator: "\n"))
            \(labels.joined(separator: "\n"))
            </svg>

            """
    }

    /// CSS without variables, which some SVG viewers don't support.
    private static var style: String {
        func rules(ink: String, _ colors: [String]) -> String {
            let lines = colors.enumerated().map {
                "g.c\($0) { stroke: \($1) } .c\($0) circle, text.c\($0) { fill: \($1) }"
            }
            return ([".ink { fill: \(ink) }"] + lines).joined(separator: "\n")
        }
        return """
            text, circle { stroke: none } .grid { stroke: #8c959f; stroke-opacity: .35 }
            polyline { fill: none; stroke-width: 2.5 }
            \(rules(ink: "#57606a", palette.map(\.1)))
            @media (prefers-color-scheme: dark) {
            \(rules(ink: "#b1bac4", palette.map(\.2)))
            }
            """
    }

    // MARK: Axes

    private func x(_ live: Double) -> Double {
        Self.position(log10(live), in: decades.x, from: Self.frame.left, to: Self.frame.right)
    }

    private func y(_ nanoseconds: Double) -> Double {
        Self.position(log10(nanoseconds), in: decades.y, from: Self.frame.bottom, to: Self.frame.top)
    }

    private static func position(_ value: Double, in range: ClosedRange<Int>, from: Double, to: Double) -> Double {
        let position = from + (value - Double(range.lowerBound)) / Double(range.count - 1) * (to - from)
        return (position * 10).rounded() / 10
    }

    private var grid: [String] {
        let (left, right, top, bottom) = Self.frame
        let vertical = decades.x.map { decade -> String in
            let x = x(pow(10, Double(decade)))
            return """
                <line class="grid" x1="\(x)" y1="\(top)" x2="\(x)" y2="\(bottom)"/>\
                <text class="ink" x="\(x)" y="\(bottom + 20)" text-anchor="middle">\(Self.grouped(decade))</text>
                """
        }
        let horizontal = decades.y.map { decade -> String in
            let y = y(pow(10, Double(decade)))
            return """
                <line class="grid" x1="\(left)" y1="\(y)" x2="\(right)" y2="\(y)"/>\
                <text class="ink" x="\(left - 8)" y="\(y + 4)" text-anchor="end">\(Self.time(decade))</text>
                """
        }
        let middle = (left + right) / 2
        let caption =
            "<text class=\"ink\" x=\"\(middle)\" y=\"\(bottom + 42)\" text-anchor=\"middle\">live tasks</text>"
        return vertical + horizontal + [caption]
    }

    /// Ten to this power, with thousands separated.
    private static func grouped(_ decade: Int) -> String {
        let zeros = String(repeating: "0", count: decade % 3)
        return "1" + zeros + String(repeating: ",000", count: decade / 3)
    }

    private static func time(_ decade: Int) -> String {
        let unit = ["ns", "µs", "ms", "s"][min(decade / 3, 3)]
        return "1" + String(repeating: "0", count: decade - min(decade / 3, 3) * 3) + " " + unit
    }

    // MARK: Lines

    private func draw(_ line: Line) -> String {
        let points = line.points.map { (x($0.live), y($0.nanoseconds)) }
        let path = points.map { "\($0.0),\($0.1)" }.joined(separator: " ")
        let dashes = line.isBaseline ? " stroke-dasharray=\"6 5\"" : ""
        let dots = points.map { "<circle cx=\"\($0.0)\" cy=\"\($0.1)\" r=\"3.5\"/>" }.joined()
        return "<g class=\"\(line.style)\"><polyline points=\"\(path)\"\(dashes)/>\(dots)</g>"
    }

    /// The name at the end of each line, moved down if it would cover another name.
    private var labels: [String] {
        let ends = lines.compactMap { line in line.points.last.map { (line, y: y($0.nanoseconds)) } }
        var above = -Double.infinity
        return ends.sorted { $0.y < $1.y }.map { line, y in
            above = max(y + 4, above + 17)
            return
                "<text class=\"\(line.style)\" x=\"\(Self.frame.right + 10)\" y=\"\(above)\">\(line.name)</text>"
        }
    }
}
