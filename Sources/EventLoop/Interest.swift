/// What a watcher wants to be told about its descriptor.
package struct Interest: OptionSet, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let read = Interest(rawValue: 1)
    package static let write = Interest(rawValue: 2)
    /// The peer has closed its sending side. Seen even while nobody reads; only epoll can tell, so do not depend on it.
    package static let hangup = Interest(rawValue: 4)
}
