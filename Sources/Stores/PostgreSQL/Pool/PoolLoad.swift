/// How busy the connections of a pool are.
package struct PoolLoad: Equatable, Sendable {
    /// The most connections.
    package internal(set) var size = 0
    package internal(set) var inUse = 0
    /// How many statements wait for a connection.
    package internal(set) var waiting = 0
}
