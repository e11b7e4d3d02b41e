public struct HTTPHeaders: Sendable, ExpressibleByDictionaryLiteral {
    private(set) var fields: [(name: String, value: String)] = []

    public init(dictionaryLiteral elements: (String, String)...) {
        for (name, value) in elements { self[name] = value }
    }

    public subscript(_ name: String) -> String? {
        get { index(of: name).map { fields[$0].value } }
        set {
            let index = index(of: name)
            switch (index, newValue) {
            case (let index?, let value?): fields[index].value = value
            case (let index?, nil): fields.remove(at: index)
            case (nil, let value?): fields.append((name, value))
            case (nil, nil): break
            }
        }
    }

    private func index(of name: String) -> Int? {
        fields.firstIndex { $0.name.lowercased() == name.lowercased() }
    }
}
