/// What an app must show before it gets the result: the rule of its login against somebody else's device.
package enum Release: UInt8, Sendable {
    /// Nothing. Whoever started the login gets the result.
    case immediate = 0
    /// A proof that came back to the app, by a link or by the page's code.
    case returnLink = 1
    /// The code that the done page shows.
    case code = 2

    /// Whether it takes what the other does not.
    package func isWeaker(than other: Release) -> Bool {
        Proof.allCases.contains { self.accepts($0) && !other.accepts($0) }
    }

    func accepts(_ proof: Proof) -> Bool {
        switch self {
        case .immediate: true
        case .returnLink: proof != .none
        case .code: proof == .pageCode
        }
    }
}

/// Which proof was seen before a result was released.
package enum Proof: String, CaseIterable, Sendable {
    /// None was asked for (`release: immediate`).
    case none
    /// The broker's answer, which the broker delivered to a link of the app.
    case callbackLink = "callback_link"
    /// The link by which the e-ID's app returned, and the cookie of the browser that had set out for it.
    case switchLink = "switch_link"
    /// The link of the page's button, which only the browser that brought the broker's answer has seen.
    case pageLink = "page_link"
    /// The code of that page, typed into the app.
    case pageCode = "page_code"
}
