/// All session keys: the first one encrypts, all of them decrypt.
package struct SessionKeys: Sendable {
    package let first: SessionKey
    package let all: [SessionKey]

    /// Returns nil for an empty list.
    package init?(_ keys: [SessionKey]) {
        guard let first = keys.first else { return nil }
        self.first = first
        self.all = keys
    }

    /// Returns the key with this id, or nil if it has been retired.
    package func key(_ id: [UInt8]) -> SessionKey? { self.all.first { $0.id == id } }
}
