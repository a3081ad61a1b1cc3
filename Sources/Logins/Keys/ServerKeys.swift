/// All server keys: the first seals, every one opens.
package struct ServerKeys: Sendable {
    package let first: ServerKey
    private let others: [ServerKey]

    private init(first: ServerKey, others: [ServerKey]) {
        self.first = first
        self.others = others
    }

    /// Nil when there is none.
    package init?(_ keys: [ServerKey]) {
        guard let first = keys.first else { return nil }
        self.first = first
        self.others = Array(keys.dropFirst())
    }

    /// These, and after them those of `others` that are not among them.
    func adding(_ others: ServerKeys) -> ServerKeys {
        let known = Set(self.all.map(\.id))
        return ServerKeys(first: self.first, others: self.others + others.all.filter { !known.contains($0.id) })
    }

    var all: [ServerKey] { [self.first] + self.others }

    /// The key that a row names, or nil when it has been retired.
    func key(_ id: [UInt8]) -> ServerKey? {
        self.first.id == id ? self.first : self.others.first { $0.id == id }
    }
}
