/// An authorization request that the client has left here itself (RFC 9126), until the browser brings its name.
struct PushedRequest: Sendable {
    static let lifetime = Duration.seconds(60)

    let clientID: String
    /// Those that count: of a request object, what was in it.
    let parameters: Parameters
}
