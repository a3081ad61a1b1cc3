import Base
import OpenIDConnect
import StrictJSON
import Testing

/// Where clients with and without a certificate send their requests (RFC 8705 §5).
@Suite struct EndpointAliasTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let authentication: ClientAuthentication
        let aliases: JSON.Object?
        /// The URLs of the requests for the token, the pushed authorization and the userinfo.
        let expected: [String]

        init(
            _ name: String, _ authentication: ClientAuthentication, _ aliases: JSON.Object?, _ expected: [String]
        ) {
            self.testDescription = name
            self.authentication = authentication
            self.aliases = aliases
            self.expected = expected
        }

        var client: Client { Example.client(self.authentication, requestStyle: .par) }

        func metadata() throws -> ProviderMetadata {
            try Example.metadata { $0["mtls_endpoint_aliases"] = self.aliases.map(JSON.object) }
        }
    }

    static let all: JSON.Object = [
        "token_endpoint": "https://id.example:8443/token",
        "pushed_authorization_request_endpoint": "https://id.example:8443/par",
        "userinfo_endpoint": "https://id.example:8443/userinfo",
        "revocation_endpoint": "https://elsewhere.example/",
    ]
    static let plain = ["https://id.example/token", "https://id.example/par", "https://id.example/userinfo"]
    static let aliased = [
        "https://id.example:8443/token", "https://id.example:8443/par", "https://id.example:8443/userinfo",
    ]

    static let cases: [Case] = [
        Case("oidcc-client-test-mtls-endpoint-aliases", .mutualTLS(selfSigned: false), Self.all, Self.aliased),
        Case("self-signed", .mutualTLS(selfSigned: true), Self.all, Self.aliased),
        Case("without a certificate", .secretPost(Secret("s")), Self.all, Self.plain),
        Case("no aliases", .mutualTLS(selfSigned: false), nil, Self.plain),
        Case("no alias of ours", .mutualTLS(selfSigned: false), ["revocation_endpoint": "x"], Self.plain),
        Case(
            "one alias", .mutualTLS(selfSigned: false), ["token_endpoint": "https://id.example:8443/token"],
            [Self.aliased[0], Self.plain[1], Self.plain[2]]),
        Case(
            "an alias elsewhere, without a certificate", .secretPost(Secret("s")),
            ["token_endpoint": "https://evil.example/"], Self.plain),
    ]

    @Test(arguments: Self.cases) func `each client sends its requests to its own endpoints`(_ one: Case) throws {
        let metadata = try one.metadata()
        let token = try TokenRequest(code: Secret("c"), challenge: Example.challenge, client: one.client)
            .providerRequest(metadata: metadata, now: Example.now)
        let push = try AuthorizationRequest(client: one.client, challenge: Example.challenge, scope: ["openid"])
            .push(metadata)
        let userInfo = try UserInfo.request(accessToken: Secret("t"), client: one.client, metadata: metadata).get()
        #expect([token.url, push?.url, userInfo.url] == one.expected)
    }

    /// We never use the plain endpoint in place of a refused alias.
    @Test func `an alias elsewhere stops only those who need it`() throws {
        let one = Case("", .mutualTLS(selfSigned: false), ["token_endpoint": "https://evil.example/"], [])
        let metadata = try one.metadata()
        #expect(throws: ClientAuthenticationError.endpointAlias) {
            try TokenRequest(code: Secret("c"), challenge: Example.challenge, client: one.client)
                .providerRequest(metadata: metadata, now: Example.now)
        }
        // The other endpoints have no alias, and are used as they are.
        let push = try AuthorizationRequest(client: one.client, challenge: Example.challenge, scope: ["openid"])
            .push(metadata)
        #expect(push?.url == Self.plain[1])
    }

    @Test func `every alias elsewhere is refused`() throws {
        let metadata = try Case(
            "", .mutualTLS(selfSigned: false),
            [
                "pushed_authorization_request_endpoint": "https://evil.example/",
                "userinfo_endpoint": "https://evil.example/",
            ], []
        ).metadata()
        let client = Example.client(.mutualTLS(selfSigned: false), requestStyle: .par)
        #expect(throws: AuthorizationRequestError.endpointAlias) {
            try AuthorizationRequest(client: client, challenge: Example.challenge, scope: ["openid"])
                .authorization(metadata: metadata, now: Example.now)
        }
        #expect(throws: UserInfoError.endpointAlias) {
            try UserInfo.request(accessToken: Secret("t"), client: client, metadata: metadata).get()
        }
    }
}
