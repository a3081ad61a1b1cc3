import Base
import HTTPWire
import Sandbox
import StrictJSON
import Testing

/// The whole code flow by hand, with every variant that a relying party may request.
@Suite struct CodeFlowTests {
    @Test func `discovery names every endpoint`() async throws {
        let stage = try Stage()
        let answer = try await stage.http.get("/.well-known/openid-configuration")
        let document = try JSON(parsing: answer.body)
        #expect(answer["content-type"] == "application/json")
        #expect(document["issuer"]?.string == stage.issuer)
        #expect(stage.issuer == "http://localhost:\(stage.http.port)")
        let endpoints = ["authorization": "/authorize", "token": "/token", "userinfo": "/userinfo"]
        for (name, path) in endpoints {
            #expect(document["\(name)_endpoint"]?.string == stage.issuer + path)
        }
        #expect(document["jwks_uri"]?.string == stage.issuer + "/jwks")
        #expect(document["authorization_response_iss_parameter_supported"]?.bool == true)
        await stage.end()
    }

    @Test func `a login completes by query, client_secret_basic and RS256`() async throws {
        let stage = try Stage()
        let arrival = try await stage.walk.login(stage.request(["acr_values": "urn:high urn:low"]), person: "soren")
        #expect(arrival.response.status == 303)
        #expect(arrival.uri == Stage.redirectURI)
        #expect(arrival.parameters.map(\.name) == ["code", "state", "iss"])
        #expect(arrival["state"] == "a-state")
        #expect(arrival["iss"] == stage.issuer)

        let tokens = try await Tokens(stage, code: try #require(arrival["code"]), fields: [stage.basic()])
        #expect(tokens.answer["cache-control"] == "no-store")
        #expect(try tokens.json["token_type"]?.string == "Bearer")
        let claims = try await tokens.claims(allowing: .rs256)
        #expect(claims["iss"]?.string == stage.issuer)
        #expect(claims["aud"]?.string == "test app")
        #expect(claims["sub"]?.string == "sandbox-dk-soren")
        #expect(claims["name"]?.string == "Søren Ærøskov")
        #expect(claims["nonce"]?.string == "a-nonce")
        #expect(claims["acr"]?.string == "urn:high")
        #expect(claims["auth_time"]?.integer == stage.clock.now.seconds)
        #expect(claims["exp"]?.integer == stage.clock.now.seconds + 300)
        #expect(claims["at_hash"]?.string == Tokens.hash(try tokens.accessToken))

        let userinfo = try await tokens.userinfo()
        #expect(userinfo.status == 200)
        let person = try JSON(parsing: userinfo.body)
        #expect(person["sub"] == claims["sub"])
        #expect(person["email"]?.string == "soren@sandbox.example")
        await stage.end()
    }

    @Test func `a login completes by form post, request object, private_key_jwt and ES256`() async throws {
        let stage = try Stage(authentication: .privateKeyJWT, algorithm: .es256, requiresRequestObject: true)
        let object = try RequestObjects.object(stage, ["response_mode": "form_post", "max_age": 0])
        let arrival = try await stage.walk.login(RequestObjects.outer(object))
        #expect(arrival.response.status == 200)
        #expect(arrival.uri == Stage.redirectURI)
        #expect(arrival.parameters.map(\.name) == ["code", "state", "iss"])

        let tokens = try await Tokens(
            stage, code: try #require(arrival["code"]), extra: try stage.assertion())
        let claims = try await tokens.claims(allowing: .es256)
        #expect(claims["sub"]?.string == "sandbox-dk-freja")
        #expect(claims["nonce"]?.string == "a-nonce")
        await stage.end()
    }

    @Test func `a login completes with client_secret_post`() async throws {
        let stage = try Stage(authentication: .secretPost)
        let arrival = try await stage.walk.login(stage.request())
        let proof = [Parameter("client_id", "test app"), Parameter("client_secret", "a secret: 100% + more")]
        let tokens = try await Tokens(stage, code: try #require(arrival["code"]), extra: proof)
        #expect(try await tokens.claims(allowing: .rs256)["sub"]?.string == "sandbox-dk-freja")
        await stage.end()
    }

    /// Core §3.1.2.1: the authorization endpoint accepts forms too.
    @Test func `a request may come by POST`() async throws {
        let stage = try Stage()
        let page = try await stage.http.post("/authorize", form: stage.request())
        #expect(page.status == 200)
        #expect(try Walk.arrival(try await stage.walk.decide(page))["code"] != nil)
        await stage.end()
    }

    @Test(arguments: ["query", "form_post"]) func `a cancel is told to the client`(mode: String) async throws {
        let stage = try Stage()
        let arrival = try await stage.walk.login(stage.request(["response_mode": mode]), "cancel")
        #expect(arrival["error"] == "access_denied")
        #expect(arrival["state"] == "a-state")
        #expect(arrival["iss"] == stage.issuer)
        #expect(arrival["code"] == nil)
        await stage.end()
    }

    /// RFC 6749 §3.1.2: the redirect URI's own query is kept.
    @Test func `the query of a redirect URI is kept`() async throws {
        let stage = try Stage()
        let uri = "http://127.0.0.1:1/other?tenant=a%20b"
        let page = try await stage.walk.open(stage.request(["redirect_uri": uri]))
        let location = try #require(try await stage.walk.decide(page)["location"])
        #expect(location.hasPrefix(uri + "&code="))
        await stage.end()
    }

    @Test func `only what the scope asks for is told`() async throws {
        let stage = try Stage()
        let arrival = try await stage.walk.login(stage.request(["scope": "openid"]))
        let tokens = try await Tokens(stage, code: try #require(arrival["code"]), fields: [stage.basic()])
        #expect(try await tokens.claims(allowing: .rs256)["name"] == nil)
        #expect(try JSON(parsing: try await tokens.userinfo().body) == ["sub": "sandbox-dk-freja"])
        await stage.end()
    }

    @Test func `every request is counted`() async throws {
        let stage = try Stage()
        let arrival = try await stage.walk.login(stage.request())
        let code = try #require(arrival["code"])
        let tokens = try await Tokens(stage, code: code, fields: [stage.basic()])
        _ = try await Tokens(stage, code: code, fields: [stage.basic()])
        _ = try await tokens.claims(allowing: .rs256)
        _ = try await tokens.userinfo()
        let ledger = stage.provider.requestLog
        #expect(ledger.requests == [.authorize: 1, .decision: 1, .token: 2, .keys: 1, .userinfo: 1])
        #expect(ledger.tokenRequests == [code: 2])
        // The second token request has revoked the access token.
        #expect(ledger.userinfoRequests.isEmpty)
        let request = try #require(ledger.lastAuthorizationRequest["test app"])
        #expect(request.first { $0.name == "state" }?.value == "a-state")
        let last = try #require(ledger.lastTokenRequest["test app"])
        #expect(last.first { $0.name == "code" }?.value == code)
        await stage.end()
    }

    @Test func `token requests can be held`() async throws {
        let stage = try Stage()
        let arrival = try await stage.walk.login(stage.request())
        let code = try #require(arrival["code"])
        stage.provider.pauseTokenEndpoint()
        async let tokens = Tokens(stage, code: code, fields: [stage.basic()])
        try await stage.provider.waitForHeldTokenRequests(1)
        #expect(stage.provider.heldTokenRequests == 1)
        #expect(stage.provider.count(of: .token) == 1)
        stage.provider.resumeTokenEndpoint()
        #expect(try await tokens.answer.status == 200)
        #expect(stage.provider.heldTokenRequests == 0)
        await stage.end()
    }
}
