import Foundation

// Stubs of XCUIAutomation
@MainActor
class XCUIElementQuery {
    var firstMatch: XCUIElement { XCUIElement() }
    func matching(identifier: String) -> XCUIElementQuery { self }
}

@MainActor
class XCUIElement {
    enum ElementType { case any }

    nonisolated init() {}
    func descendants(matching type: ElementType) -> XCUIElementQuery { XCUIElementQuery() }
    func waitForExistence(timeout: TimeInterval) -> Bool { true }
    func waitForNonExistence(timeout: TimeInterval) -> Bool { true }
}

@MainActor
final class XCUIApplication: XCUIElement {
    nonisolated override init() {}
    func launch() {}
}
