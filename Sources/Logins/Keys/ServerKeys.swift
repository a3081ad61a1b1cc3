/// All server keys: the first one encrypts, all of them decrypt.
package struct ServerKeys: Sendable {
    package let first: ServerKey
    private let others: [ServerKey]

    private init(first: ServerKey, others: [ServerKey]) {
        self.first = first
        self.others = others
    }

    /// Returns nil for an empty list.
    package init?(_ keys: [ServerKey]) {
        guard let first = keys.first else { return nil }
        self.first = first
        self.others = Array(keys.dropFirst())
    }

    /// Returns these keys, followed by those of `others` that are not among them.
    func adding(_ others: ServerKeys) -> ServerKeys {
        let ids = Set(self.all.map(\.id))
        return ServerKeys(first: self.first, others: self.others + others.all.filter { !ids.contains($0.id) })
    }

    var all: [ServerKey] { [self.first] + self.others }

    /// Returns the key with this id, or nil if it has been retired.
    func key(_ id: [UInt8]) -> ServerKey? {
        self.first.id == id ? self.first : self.others.first { $0.id == id }
    }
}
