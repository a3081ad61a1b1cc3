/// How somebody sets out to log in: what is opened for it, and what the broker wants to be asked by afterwards.
package struct Departure: Equatable, Sendable {
    package enum Target: Equatable, Sendable {
        case browser(url: String)
        /// The e-ID's own app, without a browser.
        case app(AppTarget)
    }

    package let target: Target
    /// Nil where a browser brings the answer, and nothing else is needed for it.
    package let trip: Trip?

    package init(_ target: Target, trip: Trip? = nil) {
        self.target = target
        self.trip = trip
    }
}
