/// Follows the requests of one piece of work through our own queue.
package protocol QueueObserver: Sendable {
    /// A request has to wait for its turn. Called on the loop of the connections, so it must be quick.
    func waits(_ delivery: ProviderRequest.Delivery)

    /// The turn of a request that may happen once has come. It is sent only if this returns true. Called again if the
    /// request could not be sent.
    func maySend() async -> Bool
}
