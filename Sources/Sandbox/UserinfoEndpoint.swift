/// The userinfo endpoint: claims for a bearer token (Core §5.3, RFC 6750).
import HTTPServer
import HTTPWire
import JOSE

struct UserinfoEndpoint: Sendable {
    let core: ProviderCore

    func handle(_ request: Request, _ exchange: Exchange) {
        self.core.count(.userinfo)
        self.answer(request).send(on: exchange, lateBy: self.core.lateness)
    }

    private func answer(_ request: Request) -> JSONAnswer {
        guard let token = Self.bearer(request) else {
            return JSONAnswer(.unauthorized, [:]).challenging("Bearer realm=\"sandbox\"")
        }
        let now = self.core.now()
        let access = self.core.memory.withLock { memory in
            let access = memory.access.value(for: token, at: now)
            if let access { memory.ledger.countUserinfo(access.code) }
            return access
        }
        guard let grant = access?.grant else {
            return .error("invalid_token", status: .unauthorized)
                .challenging("Bearer realm=\"sandbox\", error=\"invalid_token\"")
        }
        var claims: JSON.Object = ["sub": .string(grant.identity.subject)]
        for claim in grant.identity.claims(for: grant.scope) { claims[claim.name] = claim.value }
        var answer = JSONAnswer(.ok, claims)
        if case .userinfo(let change)? = grant.fault?.meaning.effect { change(&answer) }
        return answer
    }

    /// Only from the header: a token in a URL ends up in logs (RFC 9700 §4.3.2).
    private static func bearer(_ request: Request) -> String? {
        let parts = request.fields[.authorization]?.split(separator: " ", maxSplits: 1) ?? []
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        return String(parts[1])
    }
}
