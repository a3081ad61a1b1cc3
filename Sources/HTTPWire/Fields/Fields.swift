/// The fields of a message, in the order of arrival or of writing. Several may have the same name.
package struct Fields: Equatable, Sendable {
    struct Field: Equatable, Sendable {
        let name: FieldName
        var value: String
    }

    /// As many as most messages have, so that adding them one by one does not move them repeatedly.
    private static let usual = 12

    private(set) var all: [Field] = []

    package init() {}

    package var count: Int { self.all.count }

    package var isEmpty: Bool { self.all.isEmpty }

    /// The first value of this name. Setting a value leaves one field of this name; setting nil leaves none.
    package subscript(_ name: FieldName) -> String? {
        get { self.index(of: name).map { self.all[$0].value } }
        set {
            guard let newValue else { return self.remove(name) }
            guard let index = self.index(of: name) else { return self.add(name, newValue) }
            self.all[index].value = newValue
            let rest = self.all[(index + 1)...].filter { $0.name != name }
            self.all.replaceSubrange((index + 1)..., with: rest)
        }
    }

    /// Returns every value of this name. For a list field this means the same as one field with all of them, separated
    /// by commas (RFC 9110 §5.3).
    package func all(_ name: FieldName) -> [String] {
        var values: [String] = []
        self.each(name) { values.append($0) }
        return values
    }

    package func has(_ name: FieldName) -> Bool { self.index(of: name) != nil }

    /// Returns the value of this name, if there is exactly one.
    package func only(_ name: FieldName) -> String? {
        var (only, count) = (String?.none, 0)
        self.each(name) {
            only = $0
            count += 1
        }
        return count == 1 ? only : nil
    }

    // This code uses spans: copying a field retains two strings, and each head is searched many times.
    func each<Failure: Error>(_ name: FieldName, _ body: (String) throws(Failure) -> Void) throws(Failure) {
        let fields = self.all.span
        for index in fields.indices where fields[index].name == name { try body(fields[index].value) }
    }

    private func index(of name: FieldName) -> Int? {
        let fields = self.all.span
        for index in fields.indices where fields[index].name == name { return index }
        return nil
    }

    mutating func add(_ field: Field) {
        if self.all.isEmpty { self.all.reserveCapacity(Self.usual) }
        self.all.append(field)
    }

    package mutating func add(_ name: FieldName, _ value: String) { self.add(Field(name: name, value: value)) }

    package mutating func remove(_ name: FieldName) {
        self.all.removeAll { $0.name == name }
    }
}

extension Fields: Sequence {
    package func makeIterator() -> some IteratorProtocol<(name: FieldName, value: String)> {
        self.all.lazy.map { (name: $0.name, value: $0.value) }.makeIterator()
    }
}

extension Fields: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral fields: (FieldName, String)...) {
        for (name, value) in fields { self.add(name, value) }
    }
}
