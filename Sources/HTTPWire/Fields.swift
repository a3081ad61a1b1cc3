/// The fields of a message, in the order in which they came or will be written. There may be several of one name.
package struct Fields: Equatable, Sendable {
    struct Field: Equatable, Sendable {
        let name: FieldName
        var value: String
    }

    private(set) var all: [Field] = []

    package init() {}

    package var count: Int { self.all.count }

    package var isEmpty: Bool { self.all.isEmpty }

    /// The first value of this name. Setting it leaves one field of this name, nil none.
    package subscript(_ name: FieldName) -> String? {
        get {
            for field in self.all where field.name == name { return field.value }
            return nil
        }
        set {
            guard let newValue else { return self.remove(name) }
            guard let index = self.all.firstIndex(where: { $0.name == name }) else { return self.add(name, newValue) }
            self.all[index].value = newValue
            let rest = self.all[(index + 1)...].filter { $0.name != name }
            self.all.replaceSubrange((index + 1)..., with: rest)
        }
    }

    /// Every value of this name. For a list it means the same as all of them in one field, with commas between
    /// (RFC 9110 §5.3).
    package func all(_ name: FieldName) -> [String] {
        var values: [String] = []
        for field in self.all where field.name == name { values.append(field.value) }
        return values
    }

    mutating func add(_ field: Field) { self.all.append(field) }

    package mutating func add(_ name: FieldName, _ value: String) {
        self.all.append(Field(name: name, value: value))
    }

    package mutating func remove(_ name: FieldName) {
        self.all.removeAll { $0.name == name }
    }

    mutating func reserve(_ count: Int) { self.all.reserveCapacity(count) }
}

extension Fields: Sequence {
    package func makeIterator() -> some IteratorProtocol<(name: FieldName, value: String)> {
        self.all.lazy.map { (name: $0.name, value: $0.value) }.makeIterator()
    }
}

extension Fields: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral fields: (FieldName, String)...) {
        self.all = fields.map { Field(name: $0.0, value: $0.1) }
    }
}
