/// Elements in slots that are used again. A token names one element, and is worthless once the element is gone, even if
/// its slot has another.
///
/// Generations are an array of their own, because together with an element of eight bytes they would take a third more.
package struct SlotMap<Element> {
    package struct Token: Hashable, Sendable {
        package let slot: UInt32
        package let generation: UInt32

        package init(slot: UInt32, generation: UInt32) {
            self.slot = slot
            self.generation = generation
        }
    }

    /// By slot.
    package private(set) var elements: [Element?] = []
    package private(set) var generations: [UInt32] = []
    private var free: [UInt32] = []

    package init() {}

    package mutating func insert(_ element: Element) -> Token {
        let token = self.reserve()
        self.fill(token, with: element)
        return token
    }

    /// Takes a slot for an element that needs its own token; `fill` adds the element.
    package mutating func reserve() -> Token {
        if let slot = self.free.popLast() { return self.token(of: slot) }
        self.elements.append(nil)
        self.generations.append(0)
        return self.token(of: UInt32(self.elements.count - 1))
    }

    package mutating func fill(_ token: Token, with element: Element) { self.elements[Int(token.slot)] = element }

    @inlinable package func contains(_ token: Token) -> Bool {
        let slot = Int(token.slot)
        return self.generations.indices.contains(slot) && self.generations[slot] == token.generation
    }

    @inlinable package subscript(token: Token) -> Element? {
        self.contains(token) ? self.elements[Int(token.slot)] : nil
    }

    /// Returns the token of what is in this slot, which was given out before.
    package func token(of slot: UInt32) -> Token { Token(slot: slot, generation: self.generations[Int(slot)]) }

    /// Returns nil if there is nothing left to remove.
    @discardableResult
    package mutating func remove(_ token: Token) -> Element? {
        guard let element = self[token] else { return nil }
        self.elements[Int(token.slot)] = nil
        self.generations[Int(token.slot)] &+= 1
        self.free.append(token.slot)
        return element
    }
}
