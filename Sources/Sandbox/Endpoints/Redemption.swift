/// One try to turn a code into tokens: everything the code is bound to has to be right (RFC 6749 §4.1.3, RFC 7636 §4.6).
import Base
import Cryptography

struct Redemption: Sendable {
    let code: String
    let client: SandboxClient
    let redirectURI: String?
    let verifier: String?
    let accessToken: String
    let now: Timestamp

    /// A code that was tried is spent, so that nobody can try twice. Not by another client, who could spend everybody's.
    func redeem(in memory: inout ProviderMemory) throws(TokenError) -> Redeemed {
        guard let grant = memory.grants.value(for: self.code, at: self.now),
            grant.client.clientID == self.client.clientID
        else { throw Self.refused("no such code") }
        guard !grant.isSpent || grant.isRepeatable else {
            self.takeBack(grant, in: &memory)
            throw Self.refused("the code was used before")
        }
        memory.grants.change(self.code) { $0.isSpent = true }
        guard let binding = grant.binding, self.now < binding.ends else { throw Self.refused("the code is too old") }
        guard self.redirectURI == binding.redirectURI else { throw Self.refused("redirect_uri is another one") }
        guard self.verifierFits(binding.codeChallenge) else { throw Self.refused("code_verifier does not fit") }
        let access = Access(code: self.code, grant: grant)
        guard memory.access.insert(access, for: self.accessToken, at: self.now) else {
            throw TokenError(.serverError, "too many tokens")
        }
        memory.grants.change(self.code) { $0.accessToken = self.accessToken }
        return Redeemed(grant: grant, code: self.code)
    }

    /// RFC 6749 §4.1.2: what a code brought is worth nothing once the code has been seen twice.
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

    private static func refused(_ description: String) -> TokenError { .init(.invalidGrant, description) }
}
