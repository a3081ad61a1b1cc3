/// The effective parameters of an authorization request: from the URL, a request object, or a pushed request.
struct AuthorizationParameters: Sendable {
    let core: ProviderCore
    let client: SandboxClient

    /// Reads a request from the browser.
    func parameters(_ outer: Parameters) throws(OAuthRefusal) -> Parameters {
        for name in ["request", "request_uri"] where outer.repeated.contains(name) {
            throw .init(.invalidRequest, "\(name) is repeated.")
        }
        if let reference = outer["request_uri"] { return try self.pushed(reference) }
        guard !self.client.requiresPushedRequest else {
            throw .init(.invalidRequest, "This client must push its requests.")
        }
        return try self.inside(outer)
    }

    /// Reads a request from the client itself, which contains no `request_uri` (RFC 9126 §2.1).
    func pushed(_ outer: Parameters) throws(OAuthRefusal) -> Parameters {
        guard outer["request_uri"] == nil, !outer.repeated.contains("request"), !outer.repeated.contains("request_uri")
        else {
            throw .init(.invalidRequest, "A pushed request contains no request_uri, and request only once.")
        }
        return try self.inside(outer)
    }

    /// With a request object, only what is in it counts (RFC 9101 §6.3).
    private func inside(_ outer: Parameters) throws(OAuthRefusal) -> Parameters {
        guard let token = outer["request"] else {
            guard !self.client.requiresRequestObject else {
                throw .init(.invalidRequest, "This client must send a request object.")
            }
            return outer
        }
        return try RequestObject.parameters(
            in: token, from: self.client, issuer: self.core.issuer, at: self.core.now())
    }

    /// Removes the pushed request, so that it is used once (RFC 9126 §4).
    private func pushed(_ reference: String) throws(OAuthRefusal) -> Parameters {
        let now = self.core.now()
        let pushedRequest = self.core.memory.withLock { memory -> PushedRequest? in
            guard memory.pushed.value(for: reference, at: now)?.clientID == self.client.clientID else { return nil }
            return memory.pushed.take(reference, at: now)
        }
        guard let pushedRequest else {
            throw .init(
                .invalidRequestURI, "request_uri is unknown, used or expired.")
        }
        return pushedRequest.parameters
    }
}
