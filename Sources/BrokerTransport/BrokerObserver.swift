import OpenIDConnect

/// Counts the requests to one broker. It is called on any thread, so it must be quick and never block.
package protocol BrokerObserver: Sendable {
    /// `duration` is the request's wait in our own queue; it does not count as the broker's time.
    /// With `isRefused` it was never sent: the queue was full, or it has waited as long as it may.
    func queued(for duration: Duration, in lane: BrokerFetch.Lane, isRefused: Bool)
    /// `date` is the broker's time in seconds since 1970. `acceptsUs` is whether the broker accepted our credentials, and
    /// nil if the response does not say. `duration` begins when the request leaves our queue.
    func answered(_ request: ProviderRequest, status: Int, date: Int?, acceptsUs: Bool?, after duration: Duration)
    func failed(_ request: ProviderRequest, _ error: FetchError, after duration: Duration)
    /// Nothing was sent, because the process or the system has no descriptors left.
    func lacksDescriptors(_ reason: String)
}
