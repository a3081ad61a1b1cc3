/// An authorization start: what to open, and the backchannel transaction to poll afterwards.
package struct AuthorizationStart: Equatable, Sendable {
    package enum Target: Equatable, Sendable {
        case browser(url: String)
        /// The e-ID's own app, without a browser.
        case app(AppTarget)
    }

    package let target: Target
    /// Nil if a browser brings the response, and nothing else is needed for it.
    package let transaction: BackchannelTransaction?

    package init(_ target: Target, transaction: BackchannelTransaction? = nil) {
        self.target = target
        self.transaction = transaction
    }
}
