// The members of a JSON object, in the order in which they were written.

import Base

extension JSON {
    package struct Object: Sendable {
        package typealias Member = (name: String, value: JSON)

        /// A stored member.
        struct Entry: Sendable {
            let fingerprint: JSONNameFingerprint
            let name: String
            var value: JSON
        }

        private var entries: [Entry]

        package init() { self.entries = [] }

        /// If two members have the same name, the later one replaces the earlier.
        package init(_ members: some Sequence<(String, JSON)>) {
            self.entries = []
            for (name, value) in members { self[name] = value }
        }

        /// The caller guarantees that all names differ.
        init(distinct entries: [Entry]) { self.entries = entries }

        package var names: [String] { self.entries.map(\.name) }

        package var count: Int { self.entries.count }

        package var isEmpty: Bool { self.entries.isEmpty }

        /// The object without its members that are `null`. The members of members stay.
        package var withoutNulls: Self {
            guard self.entries.contains(where: { $0.value.isNull }) else { return self }
            return Self(distinct: self.entries.filter { !$0.value.isNull })
        }

        /// Objects are small, so a linear search is faster than a table.
        package subscript(_ name: String) -> JSON? {
            get { self.index(of: name, JSONNameFingerprint(name)).map { self.entries[$0].value } }
            set {
                let fingerprint = JSONNameFingerprint(name)
                switch (self.index(of: name, fingerprint), newValue) {
                case (let index?, let value?): self.entries[index].value = value
                case (let index?, nil): self.entries.remove(at: index)
                case (nil, let value?): self.entries.append(Entry(fingerprint: fingerprint, name: name, value: value))
                case (nil, nil): break
                }
            }
        }

        /// Removes the member with this name and returns its value.
        package mutating func removeValue(forName name: String) -> JSON? {
            self.index(of: name, JSONNameFingerprint(name)).map { self.entries.remove(at: $0).value }
        }

        private func index(of name: String, _ fingerprint: JSONNameFingerprint) -> Int? {
            // A plain loop: it runs so often that a closure would slow down even the tests, which are not optimized.
            var index = 0
            while index < self.entries.count {
                let isFound =
                    self.entries[index].fingerprint == fingerprint
                    && (fingerprint.isWholeName || identical(self.entries[index].name, name))
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

/// Ensures that no two members of an object have the same name.
struct MemberNameSet {
    /// Up to this count, comparing with every name is faster than a table.
    private static let fewNames = 32

    private var table: Set<String> = []
    private var areASCII = true

    /// Returns false if the name exists. `==` is on purpose: names that look the same to Unicode are duplicates too.
    mutating func insert(_ name: String, _ fingerprint: JSONNameFingerprint, amongst entries: [JSON.Object.Entry])
        -> Bool
    {
        self.areASCII = self.areASCII && fingerprint.isASCII
        guard entries.count < Self.fewNames else { return self.insert(name, amongst: entries) }
        // To Unicode, two ASCII names look the same only if they are the same.
        let areASCII = self.areASCII
        return !entries.indices.contains { index in
            (!areASCII || entries[index].fingerprint == fingerprint) && entries[index].name == name
        }
    }

    private mutating func insert(_ name: String, amongst entries: [JSON.Object.Entry]) -> Bool {
        if self.table.isEmpty { self.table = Set(entries.lazy.map(\.name)) }
        return self.table.insert(name).inserted
    }
}
