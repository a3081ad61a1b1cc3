import Base
import HTTPWire

/// Users whom a broker remembers in their browser: they pass without its page, and so without the e-ID's app.
struct RememberedUser: Sendable {
    static let lifetime = Duration.seconds(30 * 86_400)

    let person: SandboxIdentity
    let authenticatedAt: Timestamp
}

extension ProviderCore {
    private static let rememberingCookie = "sandbox_remembered"

    /// Returns the user whom the browser's cookie names.
    func remembered(in request: Request) -> RememberedUser? {
        guard self.broker.remembersUsers, let value = request.cookie(Self.rememberingCookie) else { return nil }
        let now = self.now()
        return self.memory.withLock { $0.remembered.value(for: value, at: now) }
    }

    /// Returns the response for a remembered user, if the client did not request a fresh login.
    func passedByCookie(_ authRequest: SandboxAuthorizationRequest, _ request: Request) -> Response? {
        guard !authRequest.demandsFreshLogin, let user = self.remembered(in: request) else { return nil }
        let age = self.now() - user.authenticatedAt
        if let maxAge = authRequest.maxAge, age > .seconds(maxAge) { return nil }
        return self.response(self.answer(authRequest, user.person, nil, authenticatedAt: user.authenticatedAt))
    }

    /// Remembers the user who has just approved, or forgets the former one. Returns the field of the cookie, if the
    /// browser needs one.
    func remember(_ person: SandboxIdentity?, in request: Request) -> String? {
        guard self.broker.remembersUsers else { return nil }
        let now = self.now()
        let former = request.cookie(Self.rememberingCookie)
        return self.memory.withLock { memory in
            if let former { _ = memory.remembered.take(former, at: now) }
            guard let person else { return former.map { _ in BrowserCookie.deletion(of: Self.rememberingCookie) } }
            let cookie = BrowserCookie(Self.rememberingCookie, for: RememberedUser.lifetime)
            let user = RememberedUser(person: person, authenticatedAt: now)
            return memory.remembered.insert(user, for: cookie.value, at: now) ? cookie.field : nil
        }
    }
}
