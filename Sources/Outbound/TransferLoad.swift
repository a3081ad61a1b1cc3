/// How busy the connections of a client are.
package struct TransferLoad: Equatable, Sendable {
    /// The most transfers at the same time. Urgent ones are beyond it.
    package let size: Int
    package internal(set) var inUse = 0
    /// How many transfers wait for their turn.
    package internal(set) var waiting = 0

    init(size: Int) { self.size = size }
}
