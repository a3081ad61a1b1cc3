/// The members of a JSON object, in the order in which they were written.
import Base

extension JSON {
    package struct Object: Sendable {
        package typealias Member = (name: String, value: JSON)

        /// A member as it is kept.
        struct Entry: Sendable {
            let mark: JSONNameMark
            let name: String
            var value: JSON
        }

        private var entries: [Entry]

        package init() { self.entries = [] }

        /// Of two members of one name the later stays.
        package init(_ members: some Sequence<(String, JSON)>) {
            self.entries = []
            for (name, value) in members { self[name] = value }
        }

        /// Members that are known to differ in their names.
        init(distinct entries: [Entry]) { self.entries = entries }

        package var names: [String] { self.entries.map(\.name) }

        package var count: Int { self.entries.count }

        package var isEmpty: Bool { self.entries.isEmpty }

        /// Objects are small, so a search from the front is faster than a table.
        package subscript(_ name: String) -> JSON? {
            get { self.index(of: name, JSONNameMark(name)).map { self.entries[$0].value } }
            set {
                let mark = JSONNameMark(name)
                switch (self.index(of: name, mark), newValue) {
                case (let index?, let value?): self.entries[index].value = value
                case (let index?, nil): self.entries.remove(at: index)
                case (nil, let value?): self.entries.append(Entry(mark: mark, name: name, value: value))
                case (nil, nil): break
                }
            }
        }

        /// Takes the member of that name out.
        package mutating func removeValue(forName name: String) -> JSON? {
            self.index(of: name, JSONNameMark(name)).map { self.entries.remove(at: $0).value }
        }

        private func index(of name: String, _ mark: JSONNameMark) -> Int? {
            // A plain loop: this is asked so often that even tests, which are not optimized, feel a closure.
            var index = 0
            while index < self.entries.count {
                let isFound =
                    self.entries[index].mark == mark && (mark.isWholeName || identical(self.entries[index].name, name))
                if isFound { return index }
                index += 1
            }
            return nil
        }
    }
}

extension JSON.Object: Sequence {
    package func makeIterator() -> some IteratorProtocol<Member> {
        self.entries.lazy.map { ($0.name, $0.value) }.makeIterator()
    }
}

extension JSON.Object: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral members: (String, JSON)...) { self.init(members) }
}

extension JSON.Object: Equatable {
    /// The order of members means nothing (RFC 8259 §1).
    package static func == (one: JSON.Object, other: JSON.Object) -> Bool {
        one.count == other.count && one.allSatisfy { other[$0.name] == $0.value }
    }
}

/// Sees to it that no two members of an object have the same name.
struct DistinctNames {
    /// Up to here a look at every name is faster than a table.
    private static let fewNames = 32

    private var table: Set<String> = []
    private var areASCII = true

    /// False when it is there already. `==` on purpose: names that look the same to Unicode are one too many as well.
    mutating func insert(_ name: String, _ mark: JSONNameMark, amongst entries: [JSON.Object.Entry]) -> Bool {
        self.areASCII = self.areASCII && mark.isASCII
        guard entries.count < Self.fewNames else { return self.insert(name, amongst: entries) }
        // To Unicode, two names of ASCII look the same only if they are.
        let areASCII = self.areASCII
        return !entries.indices.contains { index in
            (!areASCII || entries[index].mark == mark) && entries[index].name == name
        }
    }

    private mutating func insert(_ name: String, amongst entries: [JSON.Object.Entry]) -> Bool {
        if self.table.isEmpty { self.table = Set(entries.lazy.map(\.name)) }
        return self.table.insert(name).inserted
    }
}
