/// Whoever is told, on the loop, that a descriptor is ready. It is told again for as long as the descriptor is.
package protocol Watcher: AnyObject, Sendable {
    func ready(_ readiness: ReadyEvents)
}

/// What a watcher wants to be told about its descriptor.
package struct Interest: OptionSet, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let read = Interest(rawValue: 1)
    package static let write = Interest(rawValue: 2)
    /// The peer has closed its sending side. Seen even while nobody reads; only epoll can tell, so do not depend on it.
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
    /// The descriptor is broken, or closed in both directions. Told whatever the interest.
    package static let broken = ReadyEvents(rawValue: 8)
}
