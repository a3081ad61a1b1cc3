import Base
import Cryptography
import JOSE
import StrictJSON
import Testing

@testable import Sessions

/// RFC 9449 §4.3: which DPoP proofs are valid, rule by rule.
@Suite struct DPoPProofTests {
    /// One change of a valid proof.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let error: DPoPError?
        let change: @Sendable (inout Phone.Draft) throws -> Void

        init(
            _ description: String, _ error: DPoPError?, _ change: @escaping @Sendable (inout Phone.Draft) throws -> Void
        ) {
            self.testDescription = description
            self.error = error
            self.change = change
        }

        static func header(_ description: String, _ error: DPoPError?, _ name: String, _ value: JSON?) -> Case {
            Case(description, error) { $0.header[name] = value }
        }

        static func claim(_ description: String, _ error: DPoPError?, _ name: String, _ value: JSON?) -> Case {
            Case(description, error) { $0.claims[name] = value }
        }

        static func nonce(_ description: String, _ error: DPoPError?, at time: Timestamp, _ key: SessionKey) -> Case {
            Case(description, error) { $0.claims["nonce"] = .string(DPoPNonce.make(at: time, under: key)) }
        }

        static func jwk(
            _ description: String, _ change: @escaping @Sendable (inout JSON.Object) throws -> Void
        ) -> Case {
            Case(description, .key) { draft in
                var members = try #require(draft.header["jwk"]?.object)
                try change(&members)
                draft.header["jwk"] = .object(members)
            }
        }
    }

    static let cases: [Case] = [
        Case("valid", nil) { _ in },
        // Rule 2: a well-formed JWT.
        .header("§4.3 2: a critical header", .malformed, "crit", ["exp"]),
        .header("§4.3 2: b64", .malformed, "b64", false),
        .header("§4.3 2: no alg", .malformed, "alg", nil),
        // Rule 3: all required claims.
        .claim("§4.3 3: no jti", .malformed, "jti", nil),
        .claim("§4.3 3: an empty jti", .malformed, "jti", ""),
        .claim("§4.3 3: a jti that is a number", .malformed, "jti", 7),
        .claim("§4.2: the longest jti", nil, "jti", .string(String(repeating: "a", count: 256))),
        .claim("§4.2: a longer jti", .malformed, "jti", .string(String(repeating: "a", count: 257))),
        .claim("§4.3 3: no htm", .malformed, "htm", nil),
        .claim("§4.3 3: no htu", .malformed, "htu", nil),
        .claim("§4.3 3: no iat", .malformed, "iat", nil),
        .claim("§4.3 3: iat as a text", .malformed, "iat", "1800000000"),
        .claim("§4.3 3: nonce as a number", .malformed, "nonce", 1),
        .claim("§4.3 3: ath as a number", .malformed, "ath", 1),
        .claim("more claims", nil, "more", ["than": "we know"]),
        // Rule 4: typ.
        .header("§4.3 4: no typ", .wrongType, "typ", nil),
        .header("§4.3 4: a JWT", .wrongType, "typ", "JWT"),
        .header("§4.3 4: an access token's type", .wrongType, "typ", "at+jwt"),
        .header("§4.3 4: capitals", .wrongType, "typ", "DPoP+JWT"),
        // Rule 5: alg.
        .header("§4.3 5: none", .algorithm, "alg", "none"),
        .header("§4.3 5: HS256", .algorithm, "alg", "HS256"),
        .header("§4.3 5: an algorithm that we did not offer", .algorithm, "alg", "EdDSA"),
        .header("§4.3 5: es256", .algorithm, "alg", "es256"),
        // Rules 6 and 7: the key.
        .header("§4.3 6: no jwk", .key, "jwk", nil),
        .header("§4.3 6: a jwk that is a text", .key, "jwk", "key"),
        .header("§4.3 6: the name of a key is no key", nil, "kid", "access-1"),
        .jwk("§4.3 7: a private member") { $0["d"] = .string(Base64URL.encode([UInt8](repeating: 7, count: 32))) },
        .jwk("§4.3 7: a symmetric member") { $0["k"] = "AAAA" },
        .jwk("§4.3 6: a key for encryption") { $0["use"] = "enc" },
        .jwk("§4.3 6: a key that only signs") { $0["key_ops"] = ["sign"] },
        .jwk("§4.3 6: another curve") { members in
            members = try #require(PrivateKey.generate(.p384).publicKey.jwk(keyID: nil).json.object)
        },
        .jwk("§4.3 6: a point off the curve") { $0["y"] = $0["x"] },
        .jwk("§4.3 6: half a point") { $0["y"] = nil },
        // Other spellings of the same value, which only providers' keys and tokens may have.
        .jwk("§4.3 6: x padded") { $0["x"] = .string(($0["x"]?.string ?? "") + "=") },
        .jwk("§4.3 6: y with a leading zero") { members in
            let y = try #require(members["y"]?.string.flatMap { Base64URL.decode($0) })
            members["y"] = .string(Base64URL.encode([0] + y))
        },
        .jwk("§4.3 6: use null") { $0["use"] = .some(.null) },
        .jwk("§4.3 6: alg null") { $0["alg"] = .some(.null) },
        .jwk("§4.3 6: kid null") { $0["kid"] = .some(.null) },
        .jwk("§4.3 6: key_ops null") { $0["key_ops"] = .some(.null) },
        .jwk("§4.3 6: d null") { $0["d"] = .some(.null) },
        .header("§4.3 4: typ null", .malformed, "typ", .some(.null)),
        .header("§4.3 2: kid null", .malformed, "kid", .some(.null)),
        .header("§4.3 2: cty null", .malformed, "cty", .some(.null)),
        .header("§4.3 2: crit null", .malformed, "crit", .some(.null)),
        .claim("§4.3 3: jti null", .malformed, "jti", .some(.null)),
        .claim("§4.3 3: iat null", .malformed, "iat", .some(.null)),
        .claim("§4.3 10: nonce null", .malformed, "nonce", .some(.null)),
        .claim("§4.3 12: ath null", .malformed, "ath", .some(.null)),
        .claim("§4.3 8: htm a list of one", .malformed, "htm", ["POST"]),
        .claim("a PIN's proof null", .malformed, "pin_proof", .some(.null)),
        Case("§4.3 6: the key of somebody else", .signature) { draft in
            draft.header["jwk"] = try Phone().jwk.json
        },
        // Rule 8: htm.
        .claim("§4.3 8: another method", .method, "htm", "GET"),
        .claim("§4.3 8: the method in small letters", .method, "htm", "post"),
        // Rule 9: htu; TargetURITests has the other ways to write it.
        .claim("§4.3 9: the same URL, written differently", nil, "htu", "HTTPS://Login.Example:443/x/../oauth/%74oken"),
        .claim("§4.3 9: with query and fragment", nil, "htu", "https://login.example/oauth/token?a=b#c"),
        .claim("§4.3 9: another path", .url, "htu", "https://login.example/oauth/revoke"),
        .claim("§4.3 9: another host", .url, "htu", "https://evil.example/oauth/token"),
        .claim("§4.3 9: another scheme", .url, "htu", "http://login.example/oauth/token"),
        .claim("§4.3 9: another port", .url, "htu", "https://login.example:8443/oauth/token"),
        .claim("§4.3 9: a path alone", .url, "htu", "/oauth/token"),
        .claim("§4.3 9: nothing", .url, "htu", ""),
        // Rule 10: nonce.
        .claim("§4.3 10: no nonce", .nonce, "nonce", nil),
        .claim("§4.3 10: an empty nonce", .nonce, "nonce", ""),
        .claim("§4.3 10: a nonce of somebody else", .nonce, "nonce", .string(String(repeating: "A", count: 32))),
        .nonce("§4.3 10: the nonce of another server's key", .nonce, at: Example.start, SessionKey.make()),
        // Rule 11: the nonce says how old the proof is.
        .nonce("§4.3 11: a nonce of five minutes ago", nil, at: Example.after(-300), Example.key),
        .nonce("§4.3 11: an older one", .nonce, at: Example.after(-301), Example.key),
        .nonce("§4.3 11: of a server whose clock is ahead", nil, at: Example.after(60), Example.key),
        .nonce("§4.3 11: of the future", .nonce, at: Example.after(61), Example.key),
        .claim("§4.3 11: a phone in the year 1970", nil, "iat", 0),
        .claim("§4.3 11: a phone in the future", nil, "iat", 4_000_000_000),
        .claim("§4.3 11: half a second", nil, "iat", 1_800_000_000.5),
        // The proof of the PIN, which is our own.
        .claim("a PIN's proof", nil, "pin_proof", .string(Base64URL.encode([UInt8](repeating: 1, count: 32)))),
        .claim("a PIN's name", nil, "pin_id", "p1"),
        .claim("a PIN's name as a number", .malformed, "pin_id", 1),
        .claim("a PIN's proof as a number", .malformed, "pin_proof", 123_456),
        .claim("a PIN's proof that is too short", .malformed, "pin_proof", "AAAA"),
        .claim("a PIN's proof with padding", .malformed, "pin_proof", .string(String(repeating: "A", count: 43) + "=")),
    ]

    private static func verify(_ headers: [String], accessToken: String? = nil) throws(DPoPError) -> DPoPProof {
        guard let keys = SessionKeys([SessionKey.make(), Example.key]) else { throw .missing }
        return try DPoPVerifier(keys: keys, at: Example.start)
            .verify(headers, method: "POST", url: Example.url, accessToken: accessToken)
    }

    private static let nonce = DPoPNonce.make(at: Example.start, under: Example.key)

    private static func error(_ headers: [String], accessToken: String? = nil) -> DPoPError? {
        do throws(DPoPError) {
            _ = try self.verify(headers, accessToken: accessToken)
            return nil
        } catch { return error }
    }

    @Test(arguments: Self.cases) func `each broken rule has its error`(_ rule: Case) throws {
        let phone = try Phone()
        var draft = phone.draft(nonce: Self.nonce)
        try rule.change(&draft)
        #expect(Self.error([try phone.sign(draft)]) == rule.error)
    }

    @Test func `every error of a proof is in the table`() {
        // Those of the request, which has no or several proofs, or an access token, are below.
        let below: Set<DPoPError> = [.missing, .several, .accessTokenHash, .keyMismatch]
        #expect(Set(Self.cases.compactMap(\.error)).union(below) == Set(DPoPError.allCases))
    }

    @Test func `a proof says who made it`() throws {
        let phone = try Phone()
        let secret = Secret(RandomBytes.make(32))
        let text = try phone.sign(phone.draft(nonce: Self.nonce, jti: "one", pin: secret))
        let proof = try Self.verify([text])
        #expect(proof.thumbprint == phone.thumbprint)
        #expect(proof.nonce == Self.nonce)
        #expect(proof.nonceTime == Example.start)
        #expect(proof.jti == "one")
        #expect(proof.accessTokenHash == nil)
        #expect(proof.pinProof == PINSecret.proof(secret, of: phone.session(), nonce: Self.nonce, jti: "one"))
        let pin = try #require(PINSecret(secret))
        #expect(pin.verify(proof, of: phone.session()))
        #expect(!pin.verify(proof, of: phone.session(app: "other")), "the proof of another session")
    }

    @Test func `the same claims are the same proof`() throws {
        let phone = try Phone()
        let draft = phone.draft(nonce: Self.nonce)
        let (one, two) = (try Self.verify([phone.sign(draft)]), try Self.verify([phone.sign(draft)]))
        #expect(one.hash == two.hash, "an ECDSA signature is new each time, and says nothing more")
        #expect(try Self.verify([phone.sign(phone.draft(nonce: Self.nonce))]).hash != one.hash)
    }

    @Test func `rule 1 wants exactly one header`() throws {
        let phone = try Phone()
        let text = try phone.sign(phone.draft(nonce: Self.nonce))
        #expect(Self.error([]) == .missing)
        #expect(Self.error([text, text]) == .several)
        #expect(Self.error(["\(text), \(text)"]) == .malformed, "two in one line")
    }

    @Test func `rule 2 wants one JWT`() throws {
        let phone = try Phone()
        let text = try phone.sign(phone.draft(nonce: Self.nonce))
        let parts = text.split(separator: ".").map(String.init)
        for wrong in ["", ".", "..", "...", text + ".", text + "=", " " + text, parts[0], "\(parts[0]).\(parts[1])"] {
            #expect(Self.error([wrong]) == .malformed, "\(wrong)")
        }
        var long = phone.draft(nonce: Self.nonce)
        long.claims["more"] = .string(String(repeating: "a", count: 4096))
        #expect(Self.error([try phone.sign(long)]) == .malformed, "too long")
        let list = Base64URL.encode(Array("[]".utf8))
        let signature = try phone.key.sign(Array("\(parts[0]).\(list)".utf8), with: .es256)
        #expect(Self.error(["\(parts[0]).\(list).\(Base64URL.encode(signature))"]) == .malformed, "no object")
    }

    @Test func `rule 6 wants every bit signed`() throws {
        let phone = try Phone()
        let text = try phone.sign(phone.draft(nonce: Self.nonce))
        for index in text.indices where text[index] != "." {
            var forged = text
            forged.replaceSubrange(index...index, with: text[index] == "A" ? "B" : "A")
            #expect(Self.error([forged]) != nil)
        }
        let other = try Phone()
        #expect(Self.error([try phone.sign(phone.draft(nonce: Self.nonce), with: other.key)]) == .signature)
    }

    @Test func `rule 12 wants the hash of the access token`() throws {
        let phone = try Phone()
        let text = try phone.sign(phone.draft(nonce: Self.nonce, accessToken: "t0ken"))
        #expect(
            try Self.verify([text], accessToken: "t0ken").accessTokenHash == Digest.sha256.hash(Array("t0ken".utf8)))
        #expect(Self.error([text], accessToken: "other") == .accessTokenHash)
        #expect(Self.error([text]) == nil, "a request without an access token")
        let without = try phone.sign(phone.draft(nonce: Self.nonce))
        #expect(Self.error([without], accessToken: "t0ken") == .accessTokenHash)
    }

    /// §4.1 and §6.1. It has no nonce, so every rule before that one has held.
    @Test func `the example of the RFC is accepted but for its nonce`() {
        let proof = """
            eyJ0eXAiOiJkcG9wK2p3dCIsImFsZyI6IkVTMjU2IiwiandrIjp7Imt0eSI6IkVDIiwieCI6Imw4dEZyaHgtMzR0VjNoUklDUkRZOXpDa0\
            RscEJoRjQyVVFVZldWQVdCRnMiLCJ5IjoiOVZFNGpmX09rX282NHpiVFRsY3VOSmFqSG10NnY5VERWclUwQ2R2R1JEQSIsImNydiI6IlAtM\
            jU2In19.eyJqdGkiOiItQndDM0VTYzZhY2MybFRjIiwiaHRtIjoiUE9TVCIsImh0dSI6Imh0dHBzOi8vc2VydmVyLmV4YW1wbGUuY29tL3R\
            va2VuIiwiaWF0IjoxNTYyMjYyNjE2fQ.2-GxA6T8lP4vfrg8v-FdWP0A0zdrj8igiMLvqRMUvwnQg4PtFLbdLXiOSsX0x7NVY-FNyJK70nf\
            bV37xRZT3Lg
            """
        #expect(Self.error([proof]) == .url)
        let keys = SessionKeys([Example.key])
        #expect(throws: DPoPError.nonce) {
            try DPoPVerifier(keys: try #require(keys), at: Example.start)
                .verify([proof], method: "POST", url: "https://server.example.com/token", accessToken: nil)
        }
    }

    @Test func `only an unchanged nonce of one of our keys is accepted`() throws {
        let (first, second) = (SessionKey.make(), SessionKey.make())
        let keys = try #require(SessionKeys([first, second]))
        for key in [first, second] {
            #expect(
                DPoPNonce.time(of: DPoPNonce.make(at: Example.start, under: key), at: Example.start, keys: keys)
                    == Example.start)
        }
        let nonce = DPoPNonce.make(at: Example.start, under: first)
        for index in nonce.indices {
            var forged = nonce
            forged.replaceSubrange(index...index, with: nonce[index] == "A" ? "B" : "A")
            #expect(DPoPNonce.time(of: forged, at: Example.start, keys: keys) == nil)
        }
        for far in [Timestamp(milliseconds: .max), Timestamp(milliseconds: .min)] {
            #expect(DPoPNonce.time(of: DPoPNonce.make(at: far, under: first), at: Example.start, keys: keys) == nil)
        }
    }
}
