/// What a descriptor is ready for.
package struct Readiness: OptionSet, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let readable = Readiness(rawValue: 1)
    package static let writable = Readiness(rawValue: 2)
    /// The peer sends nothing more.
    package static let hangup = Readiness(rawValue: 4)
    /// The descriptor is broken, or closed in both directions. Told whatever the interest.
    package static let broken = Readiness(rawValue: 8)
}
