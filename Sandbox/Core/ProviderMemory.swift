import Base

/// What every provider remembers, whichever broker it plays: one value behind one lock, gone with the process.
struct ProviderMemory: Sendable {
    var origin: String
    var clients: [String: SandboxClient] = [:]
    var keys: KeyRing
    /// Authorize pages that wait for the user, by the value of their field `login`.
    var pages = ExpiringTable<OpenPage>(lifetime: OpenPage.lifetime, limit: 20_000)
    /// Pushed requests, by their `request_uri`, for one use.
    var pushed = ExpiringTable<PushedRequest>(lifetime: PushedRequest.lifetime, limit: 20_000)
    /// The pages of pushed requests, by their `request_uri`, for a browser that loads its page again.
    var pushedPages = ExpiringTable<String>(lifetime: OpenPage.lifetime, limit: 20_000)
    /// By the value of the browser's cookie.
    var remembered = ExpiringTable<RememberedUser>(lifetime: RememberedUser.lifetime, limit: 20_000)
    /// By code. They are kept longer than a code lives, so that a code is recognised when it is used again.
    var grants = ExpiringTable<Grant>(lifetime: .seconds(600), limit: 50_000)
    /// By access token.
    var access = ExpiringTable<Access>(lifetime: .seconds(300), limit: 50_000)
    /// The `jti` of assertions that were accepted (RFC 7523 §3).
    var assertions = ExpiringTable<Void>(lifetime: .seconds(900), limit: 50_000)
    /// By client.
    var nextFault: [String: SandboxFault] = [:]
    /// By the mark of one login.
    var loginFaults = ExpiringTable<SandboxFault>(lifetime: .seconds(3600), limit: 20_000)
    var requestLog = RequestLog()

    init(origin: String) throws {
        self.origin = origin
        self.keys = try KeyRing()
    }

    func fault(for client: String, state: String?, at now: Timestamp) -> SandboxFault? {
        self.nextFault[client]
            ?? state.flatMap(LoginMark.init).flatMap { self.loginFaults.value(for: $0.text, at: now) }
    }
}

/// An authorization request that the client has pushed (RFC 9126), until the browser brings its `request_uri`.
struct PushedRequest: Sendable {
    static let lifetime = Duration.seconds(60)

    let clientID: String
    /// The effective parameters: with a request object, those in it.
    let parameters: Parameters
}
