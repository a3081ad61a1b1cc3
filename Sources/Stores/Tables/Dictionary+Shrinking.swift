/// Frees the memory of a table after a flood, because a table never shrinks on its own.

extension Dictionary {
    /// Makes a smaller table if most of this one is empty. Call it after a removal.
    mutating func shrinkIfSparse() {
        guard self.capacity > 64, self.count < self.capacity / 8 else { return }
        self = Dictionary(uniqueKeysWithValues: self.map { ($0.key, $0.value) })
    }
}
