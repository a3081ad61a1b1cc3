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
