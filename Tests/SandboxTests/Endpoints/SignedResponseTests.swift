import Base
import HTTPWire
import JOSE
import Sandbox
import StrictJSON
import Testing

/// Authorization responses as one JWT (JARM): their contents and their faults.
@Suite struct SignedResponseTests {
    typealias Check = @Sendable (CompactJWS, JSON.Object) -> Bool

    private static let module = "fapi2-security-profile-final-client-test-ensure-jarm-"
    private static let now = 1_800_000_000

    static let expected: [(fault: String, check: Check)] = [
        (Self.module + "without-iss-fails", { $1["iss"] == nil }),
        (Self.module + "with-invalid-iss-fails", { $1["iss"]?.string == "https://somebody-else.example" }),
        (Self.module + "without-aud-fails", { $1["aud"] == nil }),
        (Self.module + "with-invalid-aud-fails", { $1["aud"]?.string == "https://somebody-else.example" }),
        (Self.module + "without-exp-fails", { $1["exp"] == nil }),
        (Self.module + "with-expired-exp-fails", { $1["exp"]?.integer == Self.now - 600 }),
        (Self.module + "with-invalid-sig-fails", { jws, _ in jws.header.algorithm == "RS256" }),
        (Self.module + "signature-is-not-none", { jws, _ in jws.header.algorithm == "none" }),
        ("jarm-hs256-with-the-public-key", { jws, _ in jws.header.algorithm == "HS256" }),
        ("jarm-unknown-kid", { jws, _ in jws.header.algorithm == "RS256" }),
        ("jarm-typ-at+jwt", { jws, _ in jws.header.type == "at+jwt" }),
    ]

    /// JARM 2.1: issuer, audience, expiry, and the parameters.
    @Test(arguments: ["query.jwt", "form_post.jwt"], [SignatureAlgorithm.rs256, .ps256, .es256])
    func `a signed response has its claims`(mode: String, algorithm: SignatureAlgorithm) async throws {
        let stage = try Stage(algorithm: algorithm)
        let arrival = try await stage.walk.login(stage.request(["response_mode": mode]))
        #expect(arrival.parameters.map(\.name) == ["response"])
        #expect(arrival.response.status == (mode == "query.jwt" ? 303 : 200))
        let jws = try CompactJWS(parsing: try #require(arrival["response"]))
        let verified = try jws.verified(with: stage.provider.keys, allowing: [algorithm])
        let claims = try #require(verified.claims())
        #expect(Set(claims.names) == ["iss", "aud", "exp", "code", "state"])
        #expect(claims["iss"]?.string == stage.issuer)
        #expect(claims["aud"]?.string == "test app")
        #expect(claims["state"]?.string == "a-state")
        let tokens = try await Tokens(
            stage, code: try #require(claims["code"]?.string), fields: [stage.basic()])
        #expect(tokens.error == nil)
        await stage.end()
    }

    @Test func `an error is signed too`() async throws {
        let stage = try Stage()
        let request = stage.request(["response_mode": "query.jwt"])
        let (claims, _) = try Self.claims(try await stage.walk.login(request, "cancel"))
        #expect(claims["error"]?.string == "access_denied")
        let (refused, _) = try Self.claims(
            try Walk.arrival(try await stage.walk.open(request.filter { $0.name != "code_challenge" })))
        #expect(refused["error"]?.string == "invalid_request")
        await stage.end()
    }

    @Test(arguments: expected, ["query.jwt", "form_post.jwt"])
    func `each fault does what it says`(row: (fault: String, check: Check), mode: String) async throws {
        let stage = try Stage()
        let arrival = try await stage.walk.login(stage.request(["response_mode": mode]), fault: row.fault)
        let (claims, jws) = try Self.claims(arrival)
        #expect(row.check(jws, claims))
        let isSigned = (try? jws.verified(with: stage.provider.keys, allowing: [.rs256])) != nil
        let isRight = !["with-invalid-sig", "is-not-none", "public-key", "unknown-kid"].contains {
            row.fault.contains($0)
        }
        #expect(isSigned == isRight)
        // A client that did not request a JWT does not notice.
        #expect(try await stage.walk.login(stage.request(), fault: row.fault)["code"] != nil)
        await stage.end()
    }

    @Test func `a plain response may come though a JWT was asked for`() async throws {
        let stage = try Stage()
        let arrival = try await stage.walk.login(
            stage.request(["response_mode": "query.jwt"]), fault: "response-not-signed")
        #expect(arrival.parameters.map(\.name) == ["code", "state", "iss"])
        await stage.end()
    }

    private static func claims(_ arrival: Walk.Arrival) throws -> (JSON.Object, CompactJWS) {
        let response = try #require(arrival["response"])
        let parts = response.split(separator: ".", omittingEmptySubsequences: false)
        try #require(parts.count == 3)
        let payload = try #require(Base64URL.decode(parts[1]))
        return (try #require(try JSON(parsing: payload).object), try CompactJWS(parsing: response))
    }
}
