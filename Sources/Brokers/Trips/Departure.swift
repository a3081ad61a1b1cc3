/// An authorization start: what to open, and the backchannel transaction to poll afterwards.
package struct Departure: Equatable, Sendable {
    package enum Target: Equatable, Sendable {
        case browser(url: String)
        /// The e-ID's own app, without a browser.
        case app(AppTarget)
    }

    package let target: Target
    /// Nil if a browser brings the response, and nothing else is needed for it.
    package let trip: Trip?

    package init(_ target: Target, trip: Trip? = nil) {
        self.target = target
        self.trip = trip
    }
}
