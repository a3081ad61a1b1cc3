/// What every provider remembers, whichever broker it plays: one value behind one lock, gone when the process is.

struct ProviderMemory: Sendable {
    var origin: String
    var clients: [String: SandboxClient] = [:]
    var keys: KeyRing
    /// Authorize pages that wait for a person, by the value of their field `login`.
    var pages = ExpiringTable<AuthorizationAsk>(lifetime: .seconds(900), limit: 20_000)
    /// Pushed requests, by their `request_uri`, for one use.
    var pushed = ExpiringTable<PushedRequest>(lifetime: PushedRequest.lifetime, limit: 20_000)
    /// By code. Kept longer than a code lives, so that a code that comes again is known.
    var grants = ExpiringTable<Grant>(lifetime: .seconds(600), limit: 50_000)
    /// By access token.
    var access = ExpiringTable<Access>(lifetime: .seconds(300), limit: 50_000)
    /// The `jti` of assertions that were taken (RFC 7523 §3).
    var assertions = ExpiringTable<Void>(lifetime: .seconds(900), limit: 50_000)
    /// By client.
    var nextFault: [String: SandboxFault] = [:]
    var ledger = Ledger()

    init(origin: String) throws {
        self.origin = origin
        self.keys = try KeyRing()
    }
}

/// An authorization request that the client has left here itself (RFC 9126), until the browser brings its name.
struct PushedRequest: Sendable {
    static let lifetime = Duration.seconds(60)

    let clientID: String
    /// Those that count: of a request object, what was in it.
    let parameters: Parameters
}
