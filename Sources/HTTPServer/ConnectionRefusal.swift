/// Why a connection was not taken.
package enum ConnectionRefusal: String, Sendable, CaseIterable {
    case tooManyConnections = "too_many_connections"
    case tooManyFromAddress = "too_many_from_address"
    /// Where every connection begins with a PROXY header, whoever may not write one.
    case notFromProxy = "not_from_proxy"
    case badProxyHeader = "bad_proxy_header"
}
