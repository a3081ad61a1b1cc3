/// From a draft to what is sent: signed with the provider's key, and encrypted where that was agreed.
import JOSE

extension ProviderCore {
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

    /// RFC 7519 §5.2: signed first.
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
