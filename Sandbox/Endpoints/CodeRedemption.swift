import Base
import Cryptography

/// One attempt to exchange a code for tokens. Everything that the code is bound to must match (RFC 6749 §4.1.3, RFC
/// 7636 §4.6).
struct CodeRedemption: Sendable {
    let code: String
    let client: SandboxClient
    let redirectURI: String?
    let verifier: String?
    let accessToken: String
    let now: Timestamp

    /// Exchanges the code. The first attempt spends it, so that there is no second guess. An attempt by another client
    /// does not: otherwise that client could spend every code.
    func redeem(in memory: inout ProviderMemory) throws(OAuthRefusal) -> RedeemedGrant {
        guard let grant = memory.grants.value(for: self.code, at: self.now),
            grant.client.clientID == self.client.clientID
        else { throw Self.refused("the code is unknown") }
        guard !grant.isSpent || grant.isRepeatable else {
            self.takeBack(grant, in: &memory)
            throw Self.refused("the code was already used")
        }
        memory.grants.change(self.code) { $0.isSpent = true }
        guard let binding = grant.binding, self.now < binding.ends else { throw Self.refused("the code has expired") }
        guard self.redirectURI == binding.redirectURI else { throw Self.refused("redirect_uri does not match") }
        guard self.verifierFits(binding.codeChallenge) else { throw Self.refused("code_verifier does not match") }
        let access = Access(code: self.code, grant: grant)
        guard memory.access.insert(access, for: self.accessToken, at: self.now) else {
            throw OAuthRefusal(.serverError, "too many tokens")
        }
        memory.grants.change(self.code) { $0.accessToken = self.accessToken }
        return RedeemedGrant(grant: grant, code: self.code)
    }

    /// RFC 6749 §4.1.2: when a code is used twice, its tokens are revoked.
    private func takeBack(_ grant: Grant, in memory: inout ProviderMemory) {
        guard let token = grant.accessToken else { return }
        _ = memory.access.take(token, at: self.now)
    }

    private func verifierFits(_ challenge: String) -> Bool {
        guard let verifier, (43...128).contains(verifier.utf8.count), verifier.utf8.allSatisfy(Self.isUnreserved) else {
            return false
        }
        return Base64URL.encode(Digest.sha256.hash(Array(verifier.utf8))) == challenge
    }

    /// RFC 7636 §4.1.
    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }

    private static func refused(_ description: String) -> OAuthRefusal { .init(.invalidGrant, description) }
}
