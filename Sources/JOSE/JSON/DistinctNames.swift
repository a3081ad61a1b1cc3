/// Sees to it that no two members of an object have the same name.

struct DistinctNames {
    /// Up to here a look at every name is faster than a table.
    private static let fewNames = 32

    private var table: Set<String> = []

    /// False when it is there already. `==` on purpose: names that look the same to Unicode are one too many as well.
    mutating func insert(_ name: String, amongst members: [JSON.Object.Member]) -> Bool {
        guard members.count >= Self.fewNames else { return !members.contains { $0.name == name } }
        if self.table.isEmpty { self.table = Set(members.lazy.map(\.name)) }
        return self.table.insert(name).inserted
    }
}
