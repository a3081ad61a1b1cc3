/// A request that has been answered, for the log and the metrics. It holds no secret and no address of a login.
import HTTPWire

package struct AnsweredRequest: Sendable {
    package let id: String
    /// One of `Route`'s labels, or `none`.
    package let route: String
    package let method: Method
    package let status: Status
    package let client: IPAddress
    /// From the request to its answer, the time that it was held included.
    package let duration: Duration
}
