import HTTPWire
import Testing

@testable import Sandbox

/// Which values of a call belong to one login only.
@Suite struct CallLinkTests {
    private static let id = "K7QXAAECAwQFBgcICQoLDA"

    /// Two logins share everything that is not in the second column.
    static let targets: [(target: String, values: Set<String>)] = [
        ("/v1/logins/\(id)", [id]),
        ("/v1/logins/\(id)/return", [id]),
        ("/go/\(id)xxxxxxxxxxxxxxxxxxxxx", ["\(id)xxxxxxxxxxxxxxxxxxxxx"]),
        ("/done/\(id)/state", [id]),
        ("/v1/sessions/\(id)/pin", [id]),
        ("/api/v1/ciba/\(id)", [id]),
        ("/api/ciba/broker-oidc/init-auth", []),
        ("/ciba/authenticate?request_uri=\(id)", [id]),
        ("/callback/mitid?state=\(id)&code=short", [id]),
        ("/oauth/custom-registration/digid/init", []),
        ("/.well-known/oauth-authorization-server", []),
        ("/.well-known/apple-app-site-association", []),
        ("/digid-app?SigAlg=http%3A%2F%2Fwww.w3.org%2F2001%2F04%2Fxmldsig-more%23rsa-sha256", []),
        ("/a?claims=http%3A%2F%2Feidas.europa.eu%2Fattributes%2Fnaturalperson%2FPersonIdentifier", []),
        ("/a?next=http%3A%2F%2Fa%2Fgo%2F\(id)", [id]),
        ("/a-word-with-many-letters/\(id)", []),
        ("/a?link=http%3A%2F%2Fa%2Fr%2F%23%2Flogins%2F\(id)", []),
    ]

    @Test(arguments: targets) func `a path or query names a login by random values only`(
        _ row: (target: String, values: Set<String>)
    ) throws {
        let request = try #require(Request(.get, row.target))
        #expect(CallLinks.values(of: request) == row.values)
    }
}
