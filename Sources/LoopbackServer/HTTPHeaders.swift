/// Header fields in the order they were given. Names are case-insensitive.
package struct HTTPHeaders: Sendable, Equatable, ExpressibleByDictionaryLiteral {
    /// One field.
    package struct Field: Sendable, Equatable {
        package var name: String
        package var value: String
    }

    package private(set) var fields: [Field] = []

    package init() {}

    package init(dictionaryLiteral elements: (String, String)...) {
        fields = elements.map { Field(name: $0.0, value: $0.1) }
    }

    /// The first field of that name. Setting replaces every field of that name; `nil` removes them.
    package subscript(_ name: String) -> String? {
        get { fields.first { $0.name.equalsIgnoringCase(name) }?.value }
        set {
            fields.removeAll { $0.name.equalsIgnoringCase(name) }
            if let newValue { add(name, newValue) }
        }
    }

    /// Adds a field, in addition to others of the same name.
    package mutating func add(_ name: String, _ value: String) {
        fields.append(Field(name: name, value: value))
    }

    /// The values of all fields of that name.
    package func values(_ name: String) -> [String] {
        fields.filter { $0.name.equalsIgnoringCase(name) }.map(\.value)
    }

    /// The members of a comma-separated list, over all fields of that name, in lower case.
    func list(_ name: String) -> [String] {
        values(name).flatMap { $0.split(separator: ",") }.map { $0.trimmingSpaces().lowercased() }
    }
}

extension StringProtocol {
    func equalsIgnoringCase(_ other: some StringProtocol) -> Bool {
        lowercased() == other.lowercased()
    }

    /// The string without leading and trailing spaces and tabs, which are HTTP's optional white space.
    func trimmingSpaces() -> String {
        let isSpace = { (character: Character) in character == " " || character == "\t" }
        return String(drop(while: isSpace).reversed().drop(while: isSpace).reversed())
    }
}
