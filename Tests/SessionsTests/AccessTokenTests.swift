import Base
import JOSE
import Logins
import StrictJSON
import Testing

@testable import Sessions

/// RFC 9068: what our access tokens say, and which are ours.
@Suite struct AccessTokenTests {
    let bench: Bench
    let phone: Phone

    init() throws {
        self.bench = try Bench()
        self.phone = try Phone()
    }

    private static func claims(_ token: String) throws -> (header: JOSEHeader, claims: JSON.Object) {
        let jwk = try #require(Example.signer().jwk)
        let verified = try CompactJWS(parsing: token).verified(with: JWKSet([jwk]), allowing: [.es256])
        return (verified.header, try #require(verified.claims()))
    }

    /// §2.1 and §2.2.
    @Test func `the first token tells of the e-ID`() async throws {
        let tokens = try await self.bench.begin(self.phone)
        let (header, claims) = try Self.claims(tokens.access)
        #expect(header.type == "at+jwt")
        #expect(header.keyID == "access-1")
        #expect(claims["iss"] == .string(Example.issuer))
        #expect(claims["aud"] == .string(Example.audience))
        #expect(claims["client_id"] == "demo")
        #expect(claims["sub"] == "alva")
        #expect(claims["iat"] == .integer(Example.start.seconds))
        #expect(claims["exp"] == .integer(Example.start.seconds + 300))
        #expect(claims["jti"]?.string?.utf8.count == 22)
        #expect(claims["sid"] == .string(self.phone.session().text))
        #expect(claims["acr"] == "substantial")
        #expect(claims["amr"] == ["code", "pop"])
        #expect(claims["auth_time"] == .integer(Example.after(-5).seconds))
        #expect(claims["cnf"] == ["jkt": .string(self.phone.thumbprint)])
        #expect(
            claims["login"] == [
                "provider": "mitid", "acr": "substantial", "auth_time": .integer(Example.after(-5).seconds),
                "proof": "page_link",
            ])
        #expect(claims.count == 13)
        #expect(tokens.expiresIn == .seconds(300))
        #expect(!tokens.isBearer)
    }

    /// §2.2.1: a renewal is no authentication.
    @Test func `a renewal changes no authentication`() async throws {
        let tokens = try await self.bench.begin(self.phone)
        self.bench.clock.now = Example.after(240)
        let renewed = try await self.bench.renew(self.phone, tokens)
        let (before, after) = (try Self.claims(tokens.access).claims, try Self.claims(renewed.access).claims)
        for name in ["acr", "amr", "auth_time", "sid", "sub", "login", "cnf"] { #expect(before[name] == after[name]) }
        for name in ["jti", "iat", "exp"] { #expect(before[name] != after[name]) }
    }

    /// Part 3 of the contract: six digits never satisfy `acr_values=high`.
    @Test func `an unlock is another authentication`() async throws {
        let tokens = try await self.bench.unlocked(self.phone)
        let unlockedAt = self.bench.clock.now
        self.bench.clock.now = Example.after(200)
        let later = try await self.bench.renew(self.phone, tokens)
        for token in [tokens.access, later.access] {
            let claims = try Self.claims(token).claims
            #expect(claims["acr"] == "urn:switchback:unlock")
            #expect(claims["amr"] == ["pin", "pop"])
            #expect(claims["auth_time"] == .integer(unlockedAt.seconds))
            #expect(claims["login"]?["acr"] == "substantial")
        }
        let stepUp = try await self.bench.begin(
            self.phone, Example.login(self.phone.thumbprint, acr: "high", authTime: Example.after(290), completed: 300))
        let claims = try Self.claims(stepUp.access).claims
        #expect(claims["acr"] == "high", "a new login with the e-ID is one again")
        #expect(claims["auth_time"] == .integer(Example.after(290).seconds))
        #expect(stepUp.refreshToken == tokens.refreshToken)
        #expect(stepUp.isPINSet == true)
    }

    @Test func `what the e-ID does not say is left out`() async throws {
        let login = Example.login(self.phone.thumbprint, acr: nil, amr: [], authTime: nil)
        let claims = try Self.claims(try await self.bench.begin(self.phone, login).access).claims
        #expect(claims["acr"] == nil)
        #expect(claims["auth_time"] == nil)
        #expect(claims["amr"] == ["pop"])
        #expect(claims["login"] == ["provider": "mitid", "proof": "page_link"])
    }

    /// Part 3: `hwk` only if attestation proved it.
    @Test(arguments: [(SessionAttestation.none, "pop"), (.app, "pop"), (.key, "hwk")])
    func `hardware is claimed only with an attestation of the key`(_ attestation: SessionAttestation, _ method: String)
        async throws
    {
        let tokens = try await self.bench.begin(
            self.phone, Example.login(self.phone.thumbprint, attestation: attestation))
        #expect(try Self.claims(tokens.access).claims["amr"] == ["code", .string(method)])
        try await self.bench.setPIN(self.phone, tokens)
        self.bench.clock.now = self.bench.clock.now + .milliseconds(1)
        let unlocked = try await self.bench.renew(self.phone, tokens, pin: self.phone.pinSecret)
        #expect(try Self.claims(unlocked.access).claims["amr"] == ["pin", .string(method)])
    }

    @Test func `a bearer token is bound to no key`() async throws {
        let bench = try Bench(Example.terms(allowsBearer: true))
        let tokens = try await bench.flow.begin(Example.login(nil), proof: nil)
        let claims = try Self.claims(tokens.access).claims
        #expect(tokens.isBearer)
        #expect(tokens.level == .access)
        #expect(tokens.refreshToken == nil)
        #expect(claims["cnf"] == nil)
        #expect(claims["amr"] == ["code"])
        #expect(try bench.verifyAccessToken(tokens.access).thumbprint == nil)
        let again = try await bench.flow.begin(Example.login(nil), proof: nil)
        #expect(again.sessionID == tokens.sessionID)
        let other = try await bench.flow.begin(Example.login(nil, completed: 1), proof: nil)
        #expect(other.sessionID != tokens.sessionID)
    }

    // MARK: - Verification (RFC 9068 §4)

    @Test func `our own token is verified`() async throws {
        let tokens = try await self.bench.begin(self.phone)
        let claims = try self.bench.verifyAccessToken(tokens.access)
        #expect(claims.sessionID == self.phone.session())
        #expect(claims.app == "demo")
        #expect(claims.subject == Example.subject)
        #expect(claims.thumbprint == self.phone.thumbprint)
        #expect(claims.expiresAt == Example.after(300))
        self.bench.clock.now = Example.after(299)
        #expect(throws: Never.self) { try self.bench.verifyAccessToken(tokens.access) }
        self.bench.clock.now = Example.after(300)
        #expect(throws: SessionError.unknown) { try self.bench.verifyAccessToken(tokens.access) }
    }

    /// One change of a valid token.
    static let wrong: [(String, String?, JSON.Object)] = [
        ("§4: no typ", nil, [:]), ("§4: typ of another JWT", "JWT", [:]), ("§4: typ of a proof", "dpop+jwt", [:]),
        ("§4: another issuer", "at+jwt", ["iss": "https://evil.example"]),
        ("§4: another audience", "at+jwt", ["aud": "https://other.example"]),
        ("§4: several audiences", "at+jwt", ["aud": ["https://api.example"]]),
        ("§2.2: another client", "at+jwt", ["client_id": "other"]),
        ("§4: expired", "at+jwt", ["exp": .integer(Example.start.seconds)]),
        ("§4: exp as a text", "at+jwt", ["exp": "1800000300"]),
        ("§2.2: sub as a number", "at+jwt", ["sub": 1]),
        ("part 3: no session", "at+jwt", ["sid": "short"]),
    ]

    @Test(arguments: Self.wrong)
    func `each wrong token is refused`(_ name: String, _ type: String?, _ change: JSON.Object) throws {
        var claims: JSON.Object = [
            "iss": .string(Example.issuer), "aud": .string(Example.audience), "client_id": "demo", "sub": "alva",
            "exp": .integer(Example.start.seconds + 300), "sid": .string(self.phone.session().text),
        ]
        let good = try Example.signer().sign(claims, type: "application/at+jwt")
        #expect(throws: Never.self) { try self.bench.verifyAccessToken(good) }
        for (name, value) in change { claims[name] = value }
        let token = try Example.signer().sign(claims, type: type)
        #expect(throws: SessionError.unknown) { try self.bench.verifyAccessToken(token) }
    }

    @Test func `a token of another key is refused`() async throws {
        let tokens = try await self.bench.begin(self.phone)
        let claims = try Self.claims(tokens.access).claims
        for name in ["access-1", "other"] {
            let signer = try JWTSigner(key: self.phone.key, algorithm: .es256, keyID: name)
            let forged = try signer.sign(claims, type: "at+jwt")
            #expect(throws: SessionError.unknown) { try self.bench.verifyAccessToken(forged) }
        }
        for index in tokens.access.indices {
            var forged = tokens.access
            forged.replaceSubrange(index...index, with: forged[index] == "A" ? "B" : "A")
            #expect(throws: SessionError.unknown) { try self.bench.verifyAccessToken(forged) }
        }
        for text in ["", ".", "..", String(repeating: "A", count: 70_000)] {
            #expect(throws: SessionError.unknown) { try self.bench.verifyAccessToken(text) }
        }
    }

    // MARK: - Part 8: each kind of token at the other's verifier, with `typ: JWT` too

    @Test(arguments: ["at+jwt", "dpop+jwt", "JWT", nil])
    func `no token passes for another`(_ type: String?) async throws {
        let bench = self.bench
        let nonce = bench.flow.makeNonce()
        let tokens = try await bench.begin(self.phone)
        func verifyProof(_ text: String) throws -> DPoPProof {
            try bench.flow.verifyProof([text], method: "POST", url: Example.url)
        }
        // A DPoP proof as an access token, and as a refresh token.
        var draft = self.phone.draft(nonce: nonce)
        draft.header["typ"] = type.map { .string($0) }
        let proof = try self.phone.sign(draft)
        #expect(throws: SessionError.unknown) { try bench.verifyAccessToken(proof) }
        await #expect(throws: SessionError.unknown) {
            try await bench.flow.renew(refreshToken: Secret(proof), clientID: "demo", proof: bench.proof(self.phone))
        }
        // An access token, or an assertion signed with the same key, as a proof.
        var claims = try Self.claims(tokens.access).claims
        #expect(throws: DPoPError.self) { try verifyProof(tokens.access) }
        for (name, value) in self.phone.draft(nonce: nonce).claims { claims[name] = value }
        let signed = try Example.signer().sign(claims, type: type)
        #expect(throws: DPoPError.self) { try verifyProof(signed) }
        // A refresh token as anything else.
        let refreshToken = try #require(tokens.refreshToken).exposedText
        #expect(throws: DPoPError.malformed) { try verifyProof(refreshToken) }
        #expect(throws: SessionError.unknown) { try bench.verifyAccessToken(refreshToken) }
        // An access token as a refresh token, and a session's id or a nonce.
        for text in [tokens.access, tokens.sessionID.text, nonce] {
            await #expect(throws: SessionError.unknown) {
                try await bench.flow.renew(refreshToken: Secret(text), clientID: "demo", proof: bench.proof(self.phone))
            }
        }
    }

    /// RFC 9449 §4.3 rule 12, the binding: a stolen access token is worth nothing with another key.
    @Test func `the proof must have the key of the token`() async throws {
        let (bench, phone, thief) = (self.bench, self.phone, try Phone())
        let token = try await bench.begin(phone).access
        func verify(_ by: Phone, _ token: String) throws -> (proof: DPoPProof, claims: AccessTokenClaims?) {
            let text = try by.sign(by.draft(method: "GET", nonce: bench.flow.makeNonce(), accessToken: token))
            return try bench.flow.verifyProof([text], method: "GET", url: Example.url, accessToken: token)
        }
        let verified = try verify(phone, token)
        #expect(verified.proof.accessTokenHash != nil && verified.claims?.thumbprint == phone.thumbprint)
        #expect(throws: DPoPError.keyMismatch) { try verify(thief, token) }
        bench.clock.now = Example.after(400)
        #expect(try verify(phone, token).claims == nil)
        #expect(throws: DPoPError.keyMismatch) { try verify(thief, token) }
        let bearer = try Bench(Example.terms(allowsBearer: true))
        let unbound = try await bearer.flow.begin(Example.login(nil), proof: nil).access
        #expect(throws: DPoPError.keyMismatch) { try verify(thief, unbound) }
    }
}
