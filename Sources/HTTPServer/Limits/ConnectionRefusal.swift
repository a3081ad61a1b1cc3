/// Why a connection was refused.
package enum ConnectionRefusal: String, Sendable, CaseIterable {
    case tooManyConnections = "too_many_connections"
    case tooManyFromAddress = "too_many_from_address"
    /// Every connection must begin with a PROXY header, and this peer may not send one.
    case notFromProxy = "not_from_proxy"
    case badProxyHeader = "bad_proxy_header"
}
