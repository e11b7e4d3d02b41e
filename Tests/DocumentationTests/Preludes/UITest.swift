import Foundation
import XCTest

// The declarations of XCUIAutomation that the sample uses.
@MainActor
class XCUIElementQuery {
    var firstMatch: XCUIElement { XCUIElement() }
    func matching(_ predicate: NSPredicate) -> XCUIElementQuery { self }
}

@MainActor
class XCUIElement {
    enum ElementType { case any }

    nonisolated init() {}
    func descendants(matching type: ElementType) -> XCUIElementQuery { XCUIElementQuery() }
    func waitForExistence(timeout: TimeInterval) -> Bool { true }
    func waitForNonExistence(timeout: TimeInterval) -> Bool { true }
}

final class XCUIApplication: XCUIElement {
    func launch() {}
}

// Foundation on Linux has no predicates with a format.
struct NSPredicate {
    init(format: String) {}
}
