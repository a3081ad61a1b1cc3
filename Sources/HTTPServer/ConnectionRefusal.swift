/// Why a connection was not taken.
package enum ConnectionRefusal: String, Sendable, CaseIterable {
    case tooManyConnections = "too_many_connections"
    case tooManyFromAddress = "too_many_from_address"
}
