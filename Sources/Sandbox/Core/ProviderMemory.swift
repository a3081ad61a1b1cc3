/// What every provider remembers, whichever broker it plays: one value behind one lock, gone with the process.

struct ProviderMemory: Sendable {
    var origin: String
    var clients: [String: SandboxClient] = [:]
    var keys: KeyRing
    /// Authorize pages that wait for the user, by the value of their field `login`.
    var pages = ExpiringTable<SandboxAuthorizationRequest>(lifetime: .seconds(900), limit: 20_000)
    /// Pushed requests, by their `request_uri`, for one use.
    var pushed = ExpiringTable<PushedRequest>(lifetime: PushedRequest.lifetime, limit: 20_000)
    /// By code. They are kept longer than a code lives, so that a code is recognised when it is used again.
    var grants = ExpiringTable<Grant>(lifetime: .seconds(600), limit: 50_000)
    /// By access token.
    var access = ExpiringTable<Access>(lifetime: .seconds(300), limit: 50_000)
    /// The `jti` of assertions that were accepted (RFC 7523 §3).
    var assertions = ExpiringTable<Void>(lifetime: .seconds(900), limit: 50_000)
    /// By client.
    var nextFault: [String: SandboxFault] = [:]
    var requestLog = RequestLog()

    init(origin: String) throws {
        self.origin = origin
        self.keys = try KeyRing()
    }
}

/// An authorization request that the client has pushed (RFC 9126), until the browser brings its `request_uri`.
struct PushedRequest: Sendable {
    static let lifetime = Duration.seconds(60)

    let clientID: String
    /// The effective parameters: with a request object, those in it.
    let parameters: Parameters
}
