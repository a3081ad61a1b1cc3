/// Why a request got no usable response yet. The library retries, and nothing is lost.
public enum TransientError: Hashable, Sendable {
    /// There is no connection, or no response in time.
    case noResponse
    /// The server limits the rate of requests.
    case rateLimited
    /// The server has a problem, or cannot reach the broker.
    case serviceUnavailable
    /// The response is not from Switchback, but from a hotel's page or a proxy, for example.
    case unexpectedResponse(status: Int)
}
