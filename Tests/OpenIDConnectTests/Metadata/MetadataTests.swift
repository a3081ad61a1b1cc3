/// Which discovery documents we use (Discovery 1.0, 3 and 4.3).
import OpenIDConnect
import StrictJSON
import Testing

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

    static let cases: [Case] = [
        Case("as it should be", nil) { _ in },
        Case("members that we do not know", nil) { $0["x"] = [1, .null, ["y": true]] },
        Case("no userinfo endpoint", nil) { $0["userinfo_endpoint"] = nil },
        Case("no PKCE methods said", nil) { $0["code_challenge_methods_supported"] = nil },
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
        Case("token endpoint null", .wrongType(.tokenEndpoint)) { $0["token_endpoint"] = .some(.null) },
        Case("keys elsewhere", .refused(.jwksURI, .host)) { $0["jwks_uri"] = "https://evil.example/keys" },
        Case("token endpoint without TLS", .refused(.tokenEndpoint, .insecure)) {
            $0["token_endpoint"] = "http://id.example/token"
        },
        Case("authorization endpoint a script", .refused(.authorizationEndpoint, .url)) {
            $0["authorization_endpoint"] = "javascript:alert(1)"
        },
        Case("userinfo endpoint elsewhere", .refused(.userinfoEndpoint, .host)) {
            $0["userinfo_endpoint"] = "https://169.254.169.254/latest"
        },
        Case("userinfo endpoint a number", .wrongType(.userinfoEndpoint)) { $0["userinfo_endpoint"] = 1 },
        Case("iss promise as text", .wrongType(.issParameterSupported)) {
            $0["authorization_response_iss_parameter_supported"] = "true"
        },
        // RFC 9126 §5, RFC 8705 §5.
        Case("no endpoint for pushed requests", nil) { $0["pushed_authorization_request_endpoint"] = nil },
        Case("pushed requests elsewhere", .refused(.pushedAuthorizationRequestEndpoint, .host)) {
            $0["pushed_authorization_request_endpoint"] = "https://evil.example/par"
        },
        Case("pushed requests without TLS", .refused(.pushedAuthorizationRequestEndpoint, .insecure)) {
            $0["pushed_authorization_request_endpoint"] = "http://id.example/par"
        },
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

    @Test(arguments: Self.cases) func documents(_ one: Case) {
        let broken = refusal { () throws(ProviderMetadataError) in try Example.metadata(one.change) }
        #expect(broken == one.expected)
    }

    @Test(arguments: ["", "null", "[]", "\"x\"", "{", "{\"issuer\":\"https://id.example\",\"issuer\":\"x\"}", "{} x"])
    func noObject(_ text: String) {
        #expect(throws: ProviderMetadataError.notAnObject) {
            try ProviderMetadata(parsing: Array(text.utf8), issuer: Example.issuer, policy: EndpointPolicy())
        }
    }

    /// Swift's `==` takes the Kelvin sign and the letter for the same.
    @Test func theIssuerIsComparedByteForByte() {
        var document = Example.document
        document["issuer"] = "https://id.example/\u{212a}"
        #expect(throws: ProviderMetadataError.issuer) {
            try ProviderMetadata(
                parsing: JSON.object(document).encoded(), issuer: "https://id.example/K", policy: EndpointPolicy())
        }
    }

    @Test func whatIsNotSaidHasItsDefault() throws {
        let metadata = try Example.metadata()
        #expect(metadata.tokenEndpointAuthMethods == ["client_secret_basic"])
        #expect(!metadata.issParameterSupported)
        #expect(metadata.idTokenAlgorithms == nil)
        #expect(metadata.responseModes == nil)
        #expect(metadata.userinfoEndpoint?.text == "https://id.example/userinfo")
        #expect(!metadata.requirePushedAuthorizationRequests)
        #expect(!metadata.requireSignedRequestObject)
        #expect(metadata.authorizationAlgorithms == nil)
        #expect(try metadata.mtlsEndpointAliases.get().token == nil)
    }

    @Test func whatIsSaidIsHandedOn() throws {
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

    /// RFC 8705 §5: a refused alias does not stop a client without a certificate. Other clients get an error with its
    /// name.
    @Test(
        arguments: [
            (["token_endpoint": "https://evil.example/t"], .refused(.mtlsTokenEndpoint, .host)),
            (["token_endpoint": "http://id.example/t"], .refused(.mtlsTokenEndpoint, .insecure)),
            (["userinfo_endpoint": "id.example"], .refused(.mtlsUserinfoEndpoint, .url)),
            (["userinfo_endpoint": 1], .wrongType(.mtlsUserinfoEndpoint)),
            (
                ["pushed_authorization_request_endpoint": .null],
                .wrongType(.mtlsPushedAuthorizationRequestEndpoint)
            ),
            ("https://id.example", .wrongType(.mtlsEndpointAliases)),
            (.null, .wrongType(.mtlsEndpointAliases)),
        ] as [(JSON, ProviderMetadataError)])
    func aliases(_ aliases: JSON, _ expected: ProviderMetadataError) throws {
        let metadata = try Example.metadata { $0["mtls_endpoint_aliases"] = aliases }
        let broken = refusal { () throws(ProviderMetadataError) in try metadata.mtlsEndpointAliases.get() }
        #expect(broken == expected)
    }

    /// The log names the member and the error, and nothing that the provider wrote.
    @Test func failuresHaveAWordForTheLog() {
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
