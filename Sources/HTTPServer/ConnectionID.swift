/// Names a connection within its loop's table; worthless once that is closed, even when its place is used again.
struct ConnectionID: Hashable, Sendable {
    let place: UInt32
    let generation: UInt32
}
