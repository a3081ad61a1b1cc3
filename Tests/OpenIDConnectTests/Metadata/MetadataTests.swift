import Base
import OpenIDConnect
import StrictJSON
import Testing

/// Which discovery documents we use (Discovery 1.0, 3 and 4.3).
@Suite struct MetadataTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let expected: ProviderMetadataError?
        let change: @Sendable (inout JSON.Object) -> Void

        init(
            _ name: String, _ expected: ProviderMetadataError?,
            _ change: @escaping @Sendable (inout JSON.Object) -> Void
        ) {
            self.testDescription = name
            self.expected = expected
            self.change = change
        }
    }

    static let required: Set<ProviderMetadata.Member> = [
        .issuer, .authorizationEndpoint, .tokenEndpoint, .jwksURI,
    ]

    static let cases: [Case] = [
        Case("as it should be", nil) { _ in },
        Case("members that we do not know", nil) { $0["x"] = [1, .null, ["y": true]] },
        Case("no userinfo endpoint", nil) { $0["userinfo_endpoint"] = nil },
        Case("no PKCE methods said", nil) { $0["code_challenge_methods_supported"] = nil },
        Case("null among response types", nil) { $0["response_types_supported"] = ["code", .null] },
        Case("no response types said", nil) { $0["response_types_supported"] = nil },
        Case("endpoint with a query", nil) { $0["authorization_endpoint"] = "https://id.example/a?p=1" },
        Case("oidcc-client-test-discovery-issuer-mismatch", .issuer) { $0["issuer"] = "https://id.example/wrong" },
        Case("issuer with a slash more", .issuer) { $0["issuer"] = "https://id.example/" },
        Case("issuer in other case", .issuer) { $0["issuer"] = "https://ID.example" },
        Case("no issuer", .missing(.issuer)) { $0["issuer"] = nil },
        Case("issuer a list", .wrongType(.issuer)) { $0["issuer"] = ["https://id.example"] },
        Case("no authorization endpoint", .missing(.authorizationEndpoint)) { $0["authorization_endpoint"] = nil },
        Case("no token endpoint", .missing(.tokenEndpoint)) { $0["token_endpoint"] = nil },
        Case("no keys", .missing(.jwksURI)) { $0["jwks_uri"] = nil },
        Case("token endpoint null", .missing(.tokenEndpoint)) { $0["token_endpoint"] = .some(.null) },
        Case("token endpoint empty", .refused(.tokenEndpoint, .url)) { $0["token_endpoint"] = "" },
        Case("token endpoint a list", .wrongType(.tokenEndpoint)) { $0["token_endpoint"] = ["https://id.example/t"] },
        Case("issuer null", .missing(.issuer)) { $0["issuer"] = .some(.null) },
        Case("issuer empty", .issuer) { $0["issuer"] = "" },
        Case("authorization endpoint null", .missing(.authorizationEndpoint)) {
            $0["authorization_endpoint"] = .some(.null)
        },
        Case("keys null", .missing(.jwksURI)) { $0["jwks_uri"] = .some(.null) },
        Case("keys elsewhere", .refused(.jwksURI, .host)) { $0["jwks_uri"] = "https://evil.example/keys" },
        Case("token endpoint without TLS", .refused(.tokenEndpoint, .insecure)) {
            $0["token_endpoint"] = "http://id.example/token"
        },
        Case("authorization endpoint a script", .refused(.authorizationEndpoint, .url)) {
            $0["authorization_endpoint"] = "javascript:alert(1)"
        },
        Case("every optional member null", nil) { document in
            for member in ProviderMetadata.Member.allCases where !Self.required.contains(member) {
                document[member.rawValue] = .some(.null)
            }
        },
        Case("iss promise as text", .wrongType(.issParameterSupported)) {
            $0["authorization_response_iss_parameter_supported"] = "true"
        },
        // RFC 9126 §5, RFC 8705 §5.
        Case("no endpoint for pushed requests", nil) { $0["pushed_authorization_request_endpoint"] = nil },
        Case("aliases elsewhere", nil) { $0["mtls_endpoint_aliases"] = ["token_endpoint": "https://evil.example/t"] },
        Case("aliases that are no object", nil) { $0["mtls_endpoint_aliases"] = ["token_endpoint"] },
        Case("what only a setup asks for, wrong", nil) {
            $0["authorization_signing_alg_values_supported"] = .some(.null)
            $0["require_pushed_authorization_requests"] = "yes"
        },
        Case("methods as text", .wrongType(.codeChallengeMethods)) { $0["code_challenge_methods_supported"] = "S256" },
        Case("methods of mixed types", .wrongType(.codeChallengeMethods)) {
            $0["code_challenge_methods_supported"] = ["S256", 1]
        },
        Case("plain only", .challengeMethodUnsupported) { $0["code_challenge_methods_supported"] = ["plain"] },
        Case("no code flow", .codeFlowUnsupported) { $0["response_types_supported"] = ["id_token"] },
    ]

    @Test(arguments: Self.cases) func `only valid documents are accepted`(_ one: Case) {
        let broken = refusal { () throws(ProviderMetadataError) in try Example.metadata(one.change) }
        #expect(broken == one.expected)
    }

    @Test(arguments: ["", "null", "[]", "\"x\"", "{", "{\"issuer\":\"https://id.example\",\"issuer\":\"x\"}", "{} x"])
    func `what is no object is refused`(_ text: String) {
        #expect(throws: ProviderMetadataError.notAnObject) {
            try ProviderMetadata(parsing: Array(text.utf8), issuer: Example.issuer, policy: EndpointPolicy())
        }
    }

    /// Swift's `==` takes the Kelvin sign and the letter for the same.
    @Test func `the issuer is compared byte for byte`() {
        var document = Example.document
        document["issuer"] = "https://id.example/\u{212a}"
        #expect(throws: ProviderMetadataError.issuer) {
            try ProviderMetadata(
                parsing: JSON.object(document).encoded(), issuer: "https://id.example/K", policy: EndpointPolicy())
        }
    }

    @Test func `a missing member has its default`() throws {
        let metadata = try Example.metadata()
        #expect(!metadata.issParameterSupported)
        #expect(metadata.idTokenAlgorithms == nil)
        #expect(try metadata.userinfoEndpoint.get()?.text == "https://id.example/userinfo")
        #expect(!metadata.requirePushedAuthorizationRequests)
        #expect(!metadata.requireSignedRequestObject)
        #expect(metadata.authorizationAlgorithms == nil)
        #expect(try metadata.mtlsEndpointAliases.token.get() == nil)
    }

    @Test func `what is said is handed on`() throws {
        let metadata = try Example.metadata {
            $0["require_pushed_authorization_requests"] = true
            $0["require_signed_request_object"] = true
            $0["authorization_signing_alg_values_supported"] = ["PS256"]
            $0["request_object_signing_alg_values_supported"] = ["RS256"]
            $0["userinfo_signing_alg_values_supported"] = ["ES256"]
        }
        #expect(metadata.requirePushedAuthorizationRequests)
        #expect(metadata.requireSignedRequestObject)
        #expect(metadata.authorizationAlgorithms == ["PS256"])
        #expect(metadata.requestObjectAlgorithms == ["RS256"])
        #expect(metadata.userinfoAlgorithms == ["ES256"])
    }

    struct OptionalMember: Sendable, CustomTestStringConvertible {
        let value: JSON?
        let expected: @Sendable (ProviderMetadata.Member) -> Result<String?, ProviderMetadataError>
        var testDescription: String { self.value.map { String(decoding: $0.encoded(), as: UTF8.self) } ?? "absent" }
    }

    static let optional: [OptionalMember] = [
        OptionalMember(value: nil) { _ in .success(nil) },
        OptionalMember(value: .null) { _ in .success(nil) },
        OptionalMember(value: "") { _ in .success(nil) },
        OptionalMember(value: "https://id.example/e") { _ in .success("https://id.example/e") },
        OptionalMember(value: "https://evil.example/e") { .failure(.refused($0, .host)) },
        OptionalMember(value: "https://169.254.169.254/latest") { .failure(.refused($0, .host)) },
        OptionalMember(value: "http://id.example/e") { .failure(.refused($0, .insecure)) },
        OptionalMember(value: "id.example") { .failure(.refused($0, .url)) },
        OptionalMember(value: " ") { .failure(.refused($0, .url)) },
        OptionalMember(value: 1) { .failure(.wrongType($0)) },
        OptionalMember(value: ["https://id.example/e"]) { .failure(.wrongType($0)) },
    ]

    /// Discovery 1.0, 3; RFC 9126 §5; RFC 8705 §5. Each endpoint is judged alone, and when it is used.
    @Test(arguments: Self.optional)
    func `an optional endpoint is validated when it is used`(_ one: OptionalMember) throws {
        let metadata = try Example.metadata { document in
            document["userinfo_endpoint"] = one.value
            document["pushed_authorization_request_endpoint"] = one.value
            var aliases: JSON.Object = [:]
            for name in ["token", "userinfo", "pushed_authorization_request"] {
                aliases["\(name)_endpoint"] = one.value
            }
            document["mtls_endpoint_aliases"] = .object(aliases)
        }
        let aliases = metadata.mtlsEndpointAliases
        let found: [(ProviderMetadata.Member, NamedEndpoint)] = [
            (.userinfoEndpoint, metadata.userinfoEndpoint),
            (.pushedAuthorizationRequestEndpoint, metadata.pushedAuthorizationRequestEndpoint),
            (.mtlsTokenEndpoint, aliases.token), (.mtlsUserinfoEndpoint, aliases.userinfo),
            (.mtlsPushedAuthorizationRequestEndpoint, aliases.pushedAuthorizationRequest),
        ]
        for (member, endpoint) in found { #expect(endpoint.map { $0?.text } == one.expected(member)) }
    }

    /// The settings that use an endpoint stop the login before it sends the user anywhere; others do not look at it.
    @Test func `a refused endpoint stops only those who use it`() throws {
        let metadata = try Example.metadata {
            $0["userinfo_endpoint"] = "https://evil.example/u"
            $0["pushed_authorization_request_endpoint"] = "https://evil.example/par"
        }
        let userinfo = ProviderMetadataError.refused(.userinfoEndpoint, .host)
        let push = ProviderMetadataError.refused(.pushedAuthorizationRequestEndpoint, .host)
        let rows: [(Client.RequestStyle, Bool, ProviderMetadataError?)] = [
            (.plain, false, nil), (.plain, true, userinfo), (.par, false, push), (.par, true, userinfo),
        ]
        for (style, usesUserInfo, expected) in rows {
            let client = Example.client(.secretPost(Secret("s")), requestStyle: style)
            #expect(client.refusedEndpoint(of: metadata, usesUserInfo: usesUserInfo) == expected)
        }
        let client = Example.client(.secretPost(Secret("s")))
        #expect(throws: UserInfoError.endpoint(userinfo)) {
            try UserInfo.request(accessToken: Secret("t"), client: client, metadata: metadata).get()
        }
        #expect(UserInfoError.endpoint(userinfo).raw == "discovery_refused_userinfo_endpoint_host")
    }

    /// A client with a certificate uses the alias, so the plain endpoint does not matter to it.
    @Test func `an alias replaces a refused endpoint`() throws {
        let metadata = try Example.metadata {
            $0["userinfo_endpoint"] = "https://evil.example/u"
            $0["mtls_endpoint_aliases"] = ["userinfo_endpoint": "https://id.example:8443/u"]
        }
        let client = Example.client(.mutualTLS(selfSigned: false))
        #expect(client.refusedEndpoint(of: metadata, usesUserInfo: true) == nil)
        let request = try UserInfo.request(accessToken: Secret("t"), client: client, metadata: metadata).get()
        #expect(request.url == "https://id.example:8443/u")
    }

    @Test(arguments: ["https://id.example", 1, ["token_endpoint"]] as [JSON])
    func `aliases that are no object are refused`(_ value: JSON) throws {
        let metadata = try Example.metadata { $0["mtls_endpoint_aliases"] = value }
        #expect(metadata.mtlsEndpointAliases.failure == .wrongType(.mtlsEndpointAliases))
        #expect(metadata.mtlsEndpointAliases.token == .failure(.wrongType(.mtlsEndpointAliases)))
    }

    /// The log names the member and the error, and nothing that the provider wrote.
    @Test func `failures have a word for the log`() {
        #expect(ProviderMetadataError.refused(.jwksURI, .host).raw == "discovery_refused_jwks_uri_host")
        #expect(
            ProviderMetadataError.refused(.mtlsTokenEndpoint, .host).raw
                == "discovery_refused_mtls_endpoint_aliases.token_endpoint_host")
        #expect(ProviderMetadataError.missing(.tokenEndpoint).raw == "discovery_missing_token_endpoint")
        #expect(ProviderDirectoryError.metadata(.issuer).raw == "discovery_issuer_mismatch")
        #expect(ProviderDirectoryError.fetch(.tls("x")).raw == "directory_tls")
        #expect(ProviderDirectoryError.status(503).raw == "directory_status_503")
    }
}
