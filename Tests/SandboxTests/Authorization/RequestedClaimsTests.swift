import Sandbox
import StrictJSON
import Testing

/// The `claims` parameter (Core §5.5).
@Suite struct RequestedClaimsTests {
    @Test func `single claims go where they belong`() async throws {
        let stage = try Stage()
        let wish =
            #"{"id_token":{"email":null,"acr":{"essential":true,"values":["high","low"]}},"userinfo":{"birthdate":null}}"#
        let request = stage.request(["scope": "openid", "claims": wish])
        let code = try #require(try await stage.walk.login(request)["code"])
        let tokens = try await Tokens(stage, code: code, fields: [stage.basic()])
        let claims = try await tokens.claims(allowing: .rs256)
        #expect(claims["email"]?.string == "freja@sandbox.example")
        #expect(claims["birthdate"] == nil)
        #expect(claims["acr"]?.string == "high")
        let userinfo = try JSON(parsing: try await tokens.userinfo().body)
        #expect(userinfo.object?.names == ["sub", "birthdate"])
        await stage.end()
    }

    @Test(arguments: ["no JSON", "[]", #"{"userinfo":[]}"#])
    func `what is no such object is refused`(text: String) async throws {
        let stage = try Stage()
        let arrival = try Walk.arrival(try await stage.walk.open(stage.request(["claims": text])))
        #expect(arrival["error"] == "invalid_request")
        await stage.end()
    }
}
