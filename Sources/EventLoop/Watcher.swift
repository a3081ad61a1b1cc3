/// Is called on the loop when its descriptor is ready, again and again while the descriptor stays ready.
package protocol Watcher: AnyObject, Sendable {
    func ready(_ readiness: ReadyEvents)
}

/// What a watcher wants to know about its descriptor.
package struct Interest: OptionSet, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let read = Interest(rawValue: 1)
    package static let write = Interest(rawValue: 2)
    /// The peer has closed its sending side. It is reported even while no data is read; only epoll can tell, so do not
    /// depend on it.
    package static let hangup = Interest(rawValue: 4)
}

/// What a descriptor is ready for.
package struct ReadyEvents: OptionSet, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let readable = ReadyEvents(rawValue: 1)
    package static let writable = ReadyEvents(rawValue: 2)
    /// The peer sends nothing more.
    package static let hangup = ReadyEvents(rawValue: 4)
    /// The descriptor has an error, or is closed in both directions. It is reported whatever the interest.
    package static let broken = ReadyEvents(rawValue: 8)
}
