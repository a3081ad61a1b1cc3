import Base
import Cryptography
import JOSE
import Sessions
import StrictJSON

/// DPoP proofs, given as a header and claims that the target signs, or as a compact token: an accepted one obeys
/// RFC 9449 §4.3, which the target checks on its own.
enum DPoPProofTarget {
    static func judge(_ input: [UInt8]) throws(Violation) -> Verdict {
        let text = try self.text(input)
        guard let keys = self.keys, let nonce = self.nonce else { throw Violation("no session key") }
        let verifier = DPoPVerifier(keys: keys, at: Example.now)
        guard
            let proof = try? verifier.verify(
                [text], method: "POST", url: "https://login.example/oauth/token", accessToken: Example.accessToken)
        else { return .refused }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).compactMap { Base64URL.decode($0) }
        try require(parts.count == 3, "accepted, and not three parts of base64url")
        try self.checkHeader(parts[0], proof)
        try self.checkClaims(parts[1], proof, nonce: nonce)
        try require(text.utf8.count <= 4096, "accepted, and too long")
        try require(proof.nonceTime == Example.now, "the nonce has another time")
        return .accepted
    }

    private static let keys = SessionKey(Secret([UInt8](repeating: 7, count: 32))).flatMap { SessionKeys([$0]) }
    private static let nonce = Self.keys.map { DPoPNonce.make(at: Example.now, under: $0.first) }

    /// Signs `header LF claims`. Anything else is a proof as it is sent.
    private static func text(_ input: [UInt8]) throws(Violation) -> String {
        guard input.first == UInt8(ascii: "{"), let end = input.firstIndex(of: 0x0A) else {
            return String(decoding: input, as: UTF8.self)
        }
        let signed = Base64URL.encode(input[..<end]) + "." + Base64URL.encode(input[(end + 1)...])
        guard let signature = try? FuzzKeys.shared().p256.sign(Array(signed.utf8), with: .es256) else {
            throw Violation("the input cannot be signed")
        }
        return signed + "." + Base64URL.encode(signature)
    }

    private static func checkHeader(_ bytes: [UInt8], _ proof: DPoPProof) throws(Violation) {
        guard let header = (try? JSON(parsing: bytes))?.object else { throw Violation("accepted without a header") }
        try require(header.says("typ", "dpop+jwt"), "accepted with another type")
        try require(header.says("alg", "ES256"), "accepted with another algorithm")
        try require(header["crit"] == nil && header["b64"] == nil, "accepted with a critical header")
        guard let members = header["jwk"]?.object else { throw Violation("accepted without a key") }
        for name in ["d", "k", "p", "q", "oth"] { try require(members[name] == nil, "accepted with a private member") }
        try require(members.says("kty", "EC") && members.says("crv", "P-256"), "accepted with another kind of key")
        let jwk = try? JWK(.object(members))
        try require(jwk.map { identical($0.thumbprint, proof.thumbprint) } == true, "the key is another one")
    }

    private static func checkClaims(
        _ bytes: [UInt8], _ proof: DPoPProof, nonce: String
    ) throws(Violation) {
        guard let claims = (try? JSON(parsing: bytes))?.object else { throw Violation("accepted without claims") }
        try require((1...256).contains(proof.jti.utf8.count) && claims.says("jti", proof.jti), "another jti")
        try require(claims.says("htm", "POST"), "accepted for another method")
        try self.checkURL(claims["htu"]?.string ?? "")
        try require(claims["iat"]?.number != nil, "accepted without a time")
        try require(claims.says("nonce", nonce) && identical(proof.nonce, nonce), "accepted with another nonce")
        let hash = Digest.sha256.hash(Array(Example.accessToken.utf8))
        try require(claims.says("ath", Base64URL.encode(hash)), "accepted with another access token")
        try require(proof.accessTokenHash == hash, "the access token is another one")
        let pin = claims["pin_proof"]?.string
        try require(claims["pin_proof"] == nil || pin != nil, "the PIN's proof is no text")
        try require(pin.flatMap { Base64URL.decode($0) } == proof.pinProof, "the PIN's proof is another one")
        try require(proof.pinProof.map { $0.count == 32 } ?? true, "the PIN's proof does not have 32 bytes")
    }

    /// Whatever the dots and the escapes, the URL is one of our host, and ends as ours does.
    private static func checkURL(_ url: String) throws(Violation) {
        let whole = url.prefix { $0 != "?" && $0 != "#" }
        let rest = whole.lowercased().dropFirst("https://login.example".count)
        try require(whole.lowercased().hasPrefix("https://login.example"), "accepted for another host")
        try require(["/", ":"].contains(rest.first), "accepted for a longer host")
        try require(!rest.prefix { $0 != "/" }.contains("@"), "accepted with a user")
        var decoded = whole.lowercased()
        for (escape, letter) in [
            ("%74", "t"), ("%6f", "o"), ("%6b", "k"), ("%65", "e"), ("%6e", "n"), ("%54", "t"), ("%4f", "o"),
            ("%4b", "k"), ("%45", "e"), ("%4e", "n"),
        ] { decoded = decoded.split(separator: escape, omittingEmptySubsequences: false).joined(separator: letter) }
        try require(decoded.hasSuffix("/token"), "accepted for another path")
    }
}
