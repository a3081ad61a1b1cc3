/// Counts the requests to one broker. It is called on any thread, so it must be quick and never block.
import OpenIDConnect

package protocol BrokerObserver: Sendable {
    /// A request has waited so long in our own queue, which is not the broker's time.
    func queued(for duration: Duration, in lane: BrokerFetch.Lane)
    /// `date` is what time it is at the broker, in seconds since 1970; `duration` goes from the request's turn on.
    func answered(_ request: ProviderRequest, status: Int, date: Int?, after duration: Duration)
    func failed(_ request: ProviderRequest, _ error: FetchError, after duration: Duration)
    /// Nothing could be sent, because the process or the system has no descriptors left.
    func lacksDescriptors(_ reason: String)
}
