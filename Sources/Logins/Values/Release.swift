/// What an app must show before it gets the result: the rule of its login against somebody else's device.
package enum Release: UInt8, Sendable {
    /// Nothing. Whoever started the login gets the result.
    case immediate = 0
    /// A proof that came back to the app by link.
    case returnLink = 1
    /// The code that the done page shows.
    case code = 2
}

/// Which proof was seen before a result was released.
package enum Proof: String, Sendable {
    /// None was asked for (`release: immediate`).
    case none
}
