public struct EnvironmentValues: Sendable {
    /// Only to read in SwiftUI: here a test sets it.
    public var accessibilityReduceMotion = false

    /// There is one environment for all views.
    @MainActor public static var current = EnvironmentValues()
}

@propertyWrapper
public struct Environment<Value> {
    private let keyPath: KeyPath<EnvironmentValues, Value>
    public init(_ keyPath: KeyPath<EnvironmentValues, Value>) { self.keyPath = keyPath }
    @MainActor public var wrappedValue: Value { EnvironmentValues.current[keyPath: keyPath] }
}
