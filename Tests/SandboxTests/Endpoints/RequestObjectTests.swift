import Base
import HTTPWire
import JOSE
import Sandbox
import StrictJSON
import Testing

/// Makes request objects, right ones and changed ones.
enum RequestObjects {
    static func claims(_ stage: Stage, _ changes: JSON.Object = [:], without: [String] = []) -> JSON.Object {
        var claims: JSON.Object = [
            "iss": "test app", "aud": .string(stage.issuer), "exp": .integer(stage.clock.now.seconds + 300),
            "nbf": .integer(stage.clock.now.seconds), "iat": .integer(stage.clock.now.seconds), "jti": "object-1",
        ]
        for parameter in stage.request() { claims[parameter.name] = .string(parameter.value) }
        for (name, value) in changes { claims[name] = value }
        for name in without { claims[name] = nil }
        return claims
    }

    static func object(_ stage: Stage, _ changes: JSON.Object = [:]) throws -> String {
        try stage.signed(Self.claims(stage, changes), type: "oauth-authz-req+jwt")
    }

    /// RFC 9101 §5: the parameters outside the object.
    static func outer(_ object: String) -> [Parameter] {
        [
            Parameter("client_id", "test app"), Parameter("response_type", "code"), Parameter("scope", "openid"),
            Parameter("request", object),
        ]
    }
}

/// Request objects by value (RFC 9101): which are accepted, and which are not.
@Suite struct RequestObjectTests {
    static let refused: [(name: String, changes: JSON.Object, without: [String])] = [
        ("RFC 9101 §10.2: iss is somebody else", ["iss": "somebody"], []),
        ("RFC 9101 §10.2: no iss", [:], ["iss"]),
        ("RFC 9101 §4: aud is another provider", ["aud": "https://other.example"], []),
        ("RFC 9101 §4: no aud", [:], ["aud"]),
        ("RFC 7519 §4.1.4: exp has passed", ["exp": 1_799_999_999], []),
        ("RFC 7519 §4.1.4: exp is text", ["exp": "1800000300"], []),
        ("no exp", [:], ["exp"]),
        ("RFC 7519 §4.1.5: nbf has not come", ["nbf": 1_800_000_100], []),
        ("RFC 9101 §5: another client_id", ["client_id": "somebody"], []),
        ("RFC 9101 §5: no client_id", [:], ["client_id"]),
        ("RFC 9101 §4: an object in the object", ["request": "a.b.c"], []),
        ("RFC 9101 §4: a reference in the object", ["request_uri": "https://a.example"], []),
        ("RFC 9101 §10.8: good for an assertion too", ["sub": "test app"], []),
        ("RFC 9101 §6.3: redirect_uri does not count outside", [:], ["redirect_uri"]),
    ]

    @Test(arguments: refused)
    func `a wrong request object is refused`(name: String, changes: JSON.Object, without: [String]) async throws {
        let stage = try Stage()
        let object = try stage.signed(RequestObjects.claims(stage, changes, without: without))
        var outer = RequestObjects.outer(object)
        if without == ["redirect_uri"] { outer.append(Parameter("redirect_uri", Stage.redirectURI)) }
        let answer = try await stage.walk.open(outer)
        #expect(answer.status == 400)
        #expect(answer["location"] == nil)
        await stage.end()
    }

    @Test func `a changed request object is refused`() async throws {
        let stage = try Stage()
        let good = try RequestObjects.object(stage).split(separator: ".").map(String.init)
        let other = try RequestObjects.object(stage, ["scope": "openid everything"]).split(separator: ".").map(
            String.init)
        let answer = try await stage.walk.open(
            RequestObjects.outer([good[0], other[1], good[2]].joined(separator: ".")))
        #expect(answer.status == 400)
        #expect(answer.text.contains("invalid_request_object"))
        await stage.end()
    }

    @Test func `a request object signed by another party is refused`() async throws {
        let stage = try Stage()
        let signer = try JWTSigner(key: try .generate(.p256), algorithm: .es256, keyID: "client-1")
        let answer = try await stage.walk.open(RequestObjects.outer(try signer.sign(RequestObjects.claims(stage))))
        #expect(answer.status == 400)
        await stage.end()
    }

    @Test func `a request object without a signature is refused`() async throws {
        let stage = try Stage()
        let parts: [JSON] = [["alg": "none"], .object(RequestObjects.claims(stage))]
        let object = parts.map { Base64URL.encode($0.encoded()) }.joined(separator: ".") + "."
        #expect(try await stage.walk.open(RequestObjects.outer(object)).status == 400)
        await stage.end()
    }

    @Test func `a request object of another type is refused`() async throws {
        let stage = try Stage()
        let object = try stage.signed(RequestObjects.claims(stage), type: "client-authentication+jwt")
        #expect(try await stage.walk.open(RequestObjects.outer(object)).status == 400)
        await stage.end()
    }

    /// RFC 9101 §6.3.
    @Test func `what stands outside does not count`() async throws {
        let stage = try Stage()
        let object = try RequestObjects.object(stage, ["aud": ["https://other.example", .string(stage.issuer)]])
        let outer =
            RequestObjects.outer(object) + [Parameter("state", "outside"), Parameter("response_mode", "form_post")]
        let arrival = try await stage.walk.login(outer)
        #expect(arrival.response.status == 303)
        #expect(arrival["state"] == "a-state")
        await stage.end()
    }

    /// Once the object is verified, the client is told about errors in it.
    @Test func `a wrong request in a right object is told to the client`() async throws {
        let stage = try Stage()
        let object = try RequestObjects.object(stage, ["scope": "profile"])
        let arrival = try Walk.arrival(try await stage.walk.open(RequestObjects.outer(object)))
        #expect(arrival["error"] == "invalid_scope")
        await stage.end()
    }

    /// RFC 9101 §10.5.
    @Test func `a client that has to sign may not send a plain request`() async throws {
        let stage = try Stage(requiresRequestObject: true)
        let page = try await stage.walk.open(stage.request())
        #expect(page.status == 400)
        #expect(page.text.contains("must send a request object"))
        await stage.end()
    }
}
