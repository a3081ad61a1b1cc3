/// The members of a JSON object, in the order in which they were written.

extension JSON {
    package struct Object: Sendable {
        package typealias Member = (name: String, value: JSON)

        private var members: [Member]

        package init() { self.members = [] }

        /// Of two members of one name the later stays.
        package init(_ members: some Sequence<(String, JSON)>) {
            self.members = []
            for (name, value) in members { self[name] = value }
        }

        /// Members that are known to differ in their names.
        init(distinct members: [Member]) { self.members = members }

        package var names: [String] { self.members.map(\.name) }

        package var count: Int { self.members.count }

        package var isEmpty: Bool { self.members.isEmpty }

        /// Objects are small, so a search from the front is faster than a table.
        package subscript(_ name: String) -> JSON? {
            get {
                let count = name.utf8.count
                let index = self.members.firstIndex { $0.name.utf8.count == count && identical($0.name, name) }
                return index.map { self.members[$0].value }
            }
            set {
                let index = self.members.firstIndex { identical($0.name, name) }
                switch (index, newValue) {
                case (let index?, let value?): self.members[index].value = value
                case (let index?, nil): self.members.remove(at: index)
                case (nil, let value?): self.members.append((name, value))
                case (nil, nil): break
                }
            }
        }
    }
}

extension JSON.Object: Sequence {
    package func makeIterator() -> IndexingIterator<[Member]> { self.members.makeIterator() }
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
