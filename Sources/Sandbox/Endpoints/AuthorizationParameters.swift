/// The parameters of an authorization request that count: those of the URL, of a request object, or of what was pushed.
struct AuthorizationParameters: Sendable {
    let core: ProviderCore
    let client: SandboxClient

    /// From the browser.
    func parameters(_ outer: Parameters) throws(AuthorizationError) -> Parameters {
        for name in ["request", "request_uri"] where outer.repeated.contains(name) {
            throw .page(.invalidRequest, "\(name) comes twice.")
        }
        if let reference = outer["request_uri"] { return try self.pushed(reference) }
        guard !self.client.requiresPushedRequest else {
            throw .page(.invalidRequest, "This client has to push its requests.")
        }
        return try self.inside(outer)
    }

    /// From the client itself, which names no `request_uri` (RFC 9126 §2.1).
    func pushed(_ outer: Parameters) throws(AuthorizationError) -> Parameters {
        guard outer["request_uri"] == nil, !outer.repeated.contains("request"), !outer.repeated.contains("request_uri")
        else {
            throw .page(.invalidRequest, "request_uri cannot be pushed, and request only once.")
        }
        return try self.inside(outer)
    }

    /// Of a request object, only what is in it (RFC 9101 §6.3).
    private func inside(_ outer: Parameters) throws(AuthorizationError) -> Parameters {
        guard let token = outer["request"] else {
            guard !self.client.requiresRequestObject else {
                throw .page(.invalidRequest, "This client has to send a request object.")
            }
            return outer
        }
        return try RequestObject.parameters(
            in: token, from: self.client, issuer: self.core.issuer, at: self.core.now())
    }

    /// Taken, so that it is good once (RFC 9126 §4).
    private func pushed(_ reference: String) throws(AuthorizationError) -> Parameters {
        let now = self.core.now()
        let found = self.core.memory.withLock { memory -> PushedRequest? in
            guard memory.pushed.value(for: reference, at: now)?.clientID == self.client.clientID else { return nil }
            return memory.pushed.take(reference, at: now)
        }
        guard let found else {
            throw .page(
                .invalidRequestURI, "request_uri was used, is too old, or is nobody's.")
        }
        return found.parameters
    }
}
