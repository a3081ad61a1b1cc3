/// The release policy: what an app must show before it gets the result, to protect users on other devices.
package enum ReleasePolicy: UInt8, Sendable {
    /// Nothing. The app that started the login gets the result.
    case immediate = 0
    /// A proof that returned to the app, through a link or as the code on the page.
    case returnLink = 1
    /// The code on the done page.
    case code = 2

    /// Returns whether this policy accepts a proof that the other one does not.
    package func isWeaker(than other: ReleasePolicy) -> Bool {
        SameDeviceProof.allCases.contains { self.accepts($0) && !other.accepts($0) }
    }

    func accepts(_ proof: SameDeviceProof) -> Bool {
        switch self {
        case .immediate: true
        case .returnLink: proof != .none
        case .code: proof == .pageCode
        }
    }
}

/// The proof that was seen before a result was released.
package enum SameDeviceProof: String, CaseIterable, Sendable {
    /// No proof was required (`release: immediate`).
    case none
    /// The authorization response, which the broker sent to a link of the app.
    case callbackLink = "callback_link"
    /// The link through which the e-ID's app returned, together with the cookie of the browser that started the
    /// attempt.
    case switchLink = "switch_link"
    /// The link of the page's button, which only the browser that delivered the authorization response has seen.
    case pageLink = "page_link"
    /// The code on that page, typed into the app.
    case pageCode = "page_code"
}
