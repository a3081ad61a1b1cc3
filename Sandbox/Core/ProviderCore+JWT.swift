// The JWTs that the provider issues: their claims, signatures and encryption.

import JOSE
import StrictJSON

extension ProviderCore {
    /// Core §2, with the optional claims that e-ID brokers send.
    func idToken(_ grant: Grant, code: String?, accessToken: String) -> JWTDraft {
        var claims = self.broker.idToken(of: grant) ?? grant.claims
        if let nonce = grant.nonce { claims["nonce"] = .string(nonce) }
        var draft = self.draft(claims, for: grant.client)
        draft.claims["at_hash"] = draft.hash(of: accessToken)
        draft.claims["c_hash"] = code.map(draft.hash)
        return draft
    }

    /// Returns a draft with the claims of every JWT. Those of the userinfo have no others (Core §5.3.2).
    func draft(_ claims: JSON.Object, for client: SandboxClient) -> JWTDraft {
        JWTDraft(claims, for: client, issuer: self.issuer, now: self.now())
    }

    /// JARM 2.1: the parameters as they are. The issuer is in the JWT, and therefore not beside it.
    func draft(_ answer: SandboxAuthorizationResponse) -> JWTDraft {
        let members = JSON.Object(answer.parameters.map { ($0.name, .string($0.value)) })
        var draft = self.draft(members, for: answer.address.client)
        draft.claims["iat"] = nil
        return draft
    }
}

// MARK: - From a draft to a token

extension ProviderCore {
    /// Signs with the provider's key, and encrypts if that was agreed.
    func issue(_ draft: JWTDraft, encryption: SandboxClient.Encryption? = nil) throws -> String {
        let key = try self.memory.withLock { try $0.keys.key(for: draft.algorithm, draft.key, at: draft.now) }
        let token = try draft.signed(with: key)
        if draft.rotatesAfterwards { try self.rotate(draft.algorithm) }
        guard let encryption else { return token }
        switch draft.envelope {
        case .right: return try Self.sealed(token, encryption)
        case .spoiled: return JWTDraft.spoiled(try Self.sealed(token, encryption))
        case .absent: return token
        }
    }

    /// RFC 7519 §5.2: the token is signed first.
    private static func sealed(_ token: String, _ encryption: SandboxClient.Encryption) throws -> String {
        try encryption.encrypter.encrypt(Array(token.utf8), contentType: "JWT")
    }

    private func rotate(_ algorithm: SignatureAlgorithm) throws {
        try self.memory.withLock { memory in
            memory.keys.retire(algorithm)
            try memory.keys.provide(for: algorithm)
        }
    }
}
