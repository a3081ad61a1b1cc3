import Base

/// One request to a broker. Its description names only the server: bodies, fields and queries are secrets.
package struct OutboundRequest: Sendable, CustomStringConvertible {
    package enum Method: String, Sendable {
        case get = "GET"
        case post = "POST"
        case put = "PUT"
        case delete = "DELETE"
    }

    /// How often the server may see the request.
    package enum Delivery: Sendable {
        case atMostOnce
        /// It may be sent again when a persistent connection ends before the response begins.
        case idempotent
    }

    package var method: Method
    package var delivery: Delivery
    package var url: String
    package var fields: [Parameter]
    package var body: [UInt8]
    /// The time to resolve, connect, send, and read the whole response. Waiting for its turn does not count.
    package var deadline: Duration
    /// The most bytes that the response's body may have.
    package var limit: Int
    /// Who caused the request, so that a caller with many requests delays only itself. Empty when it has no caller.
    package var caller: [UInt8] = []
    /// The longest time that it may wait for its turn. Nil: `OutboundSettings.queueTimeout`.
    package var longestWait: Duration?
    /// Set for what many other requests depend on. It goes out at once, beside the others.
    package var isUrgent = false
    /// Called on the client's loop when the request has to wait for its turn.
    package var onWait: (@Sendable () -> Void)?
    /// Called when its turn has come. It is sent only if this returns true; otherwise it ends as `cancelled`.
    package var maySend: (@Sendable () async -> Bool)?
    /// Called on the client's loop when the request need not wait for its turn any more.
    package var onStart: (@Sendable () -> Void)?

    /// Without `delivery` the method decides (RFC 9110 §9.2.2).
    package init(
        method: Method = .get,
        delivery: Delivery? = nil,
        url: String,
        fields: [Parameter] = [],
        body: [UInt8] = [],
        deadline: Duration = .seconds(10),
        limit: Int = 256 * 1024
    ) {
        self.method = method
        self.delivery = delivery ?? (method == .post ? .atMostOnce : .idempotent)
        self.url = url
        self.fields = fields
        self.body = body
        self.deadline = deadline
        self.limit = limit
    }

    package var description: String {
        let server = self.url.drop { $0 != "/" }.drop { $0 == "/" }.prefix { !"/?#".contains($0) }
        return "\(self.method.rawValue) \(server.split(separator: "@").last ?? "")"
    }
}
