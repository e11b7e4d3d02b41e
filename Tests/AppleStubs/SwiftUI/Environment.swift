import AppleStubs

public struct EnvironmentValues: Sendable {
    @MainActor public var accessibilityReduceMotion: Bool { Settings.reducesMotion }
}

@propertyWrapper
public struct Environment<Value> {
    private let keyPath: KeyPath<EnvironmentValues, Value>
    public init(_ keyPath: KeyPath<EnvironmentValues, Value>) { self.keyPath = keyPath }
    @MainActor public var wrappedValue: Value { EnvironmentValues()[keyPath: keyPath] }
}
