/// Why a request got no usable response yet. The library retries, and nothing is lost.
public struct TransientError: Coded {
    /// Such as `no_response`.
    public let code: String
    /// The status of a response that is not from Switchback; nil for every other error.
    public let status: Int?

    /// There is no connection, or no response in time.
    public static let noResponse = TransientError(code: "no_response")
    /// The server limits the rate of requests.
    public static let rateLimited = TransientError(code: "rate_limited")
    /// The server has a problem, or cannot reach the broker.
    public static let serviceUnavailable = TransientError(code: "service_unavailable")

    /// The response is not from Switchback, but from a hotel's page or a proxy, for example.
    public static func unexpectedResponse(status: Int) -> TransientError {
        TransientError(code: "unexpected_response", status: status)
    }

    private init(code: String, status: Int? = nil) { (self.code, self.status) = (code, status) }
}
