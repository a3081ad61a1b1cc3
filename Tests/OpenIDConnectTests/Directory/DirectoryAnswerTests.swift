import OpenIDConnect
import StrictJSON
import Testing

/// Which responses a directory accepts as a discovery document or a key set.
@Suite struct DirectoryAnswerTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let purpose: ProviderRequest.Purpose
        let answer: ScriptedProvider.Answer
        let expected: ProviderDirectoryError?

        init(
            _ name: String, _ purpose: ProviderRequest.Purpose, status: Int = 200,
            contentType: String? = "application/json", _ body: String, _ expected: ProviderDirectoryError?
        ) {
            self.testDescription = name
            self.purpose = purpose
            self.answer = .success(
                ProviderResponse(status: status, contentType: contentType, body: Array(body.utf8)))
            self.expected = expected
        }

        init(_ error: FetchError, _ purpose: ProviderRequest.Purpose) {
            self.testDescription = "\(purpose.rawValue) \(error.raw)"
            self.purpose = purpose
            self.answer = .failure(error)
            self.expected = .fetch(error)
        }
    }

    static let document = String(decoding: JSON.object(Example.document).encoded(), as: UTF8.self)
    static let keys = #"{"keys":[{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}]}"#
    static let good = #"{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}"#
    static let odd = #"{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo=","alg":null}"#
    static let blanks = String(repeating: " ", count: 256 * 1024)

    static let cases: [Case] = [
        Case("as it should be", .discovery, document, nil),
        Case("with a charset", .discovery, contentType: "application/json;charset=utf-8", document, nil),
        // Static hosting: coreos/go-oidc#156, spring-security#17036.
        Case("of a page's type", .discovery, contentType: "text/html", document, nil),
        Case("of no known type", .discovery, contentType: "application/octet-stream", document, nil),
        Case("without a type", .discovery, contentType: nil, document, nil),
        Case("a page", .discovery, contentType: "text/html", "<html></html>", .metadata(.notAnObject)),
        Case("with a byte order mark", .discovery, "\u{FEFF}" + document, .metadata(.notAnObject)),
        Case("not found", .discovery, status: 404, document, .status(404)),
        Case("a redirect", .discovery, status: 301, "", .status(301)),
        Case("not modified", .discovery, status: 304, "", .status(304)),
        Case("too much", .discovery, document + blanks, .tooLarge),
        Case("not JSON", .discovery, "<html>", .metadata(.notAnObject)),
        Case("of another issuer", .discovery, #"{"issuer":"https://evil.example"}"#, .metadata(.issuer)),
        Case(FetchError.unreachable("x"), .discovery),
        Case(FetchError.timedOut("x"), .discovery),
        Case(FetchError.tooLarge("x"), .discovery),
        Case(FetchError.tls("x"), .discovery),
        Case(FetchError.refused("x"), .discovery),
        Case(FetchError.broken("x"), .discovery),
        Case("keys", .keys, keys, nil),
        Case("keys of their own type", .keys, contentType: "application/jwk-set+json", keys, nil),
        Case("keys without a type", .keys, contentType: nil, keys, nil),
        Case("one bad key among good ones", .keys, #"{"keys":[{"kty":"RSA","n":"","e":"AQAB"},1,\#(good)]}"#, nil),
        Case("a key of a kind to come", .keys, #"{"keys":[{"kty":"AKP","alg":"ML-DSA-44"},\#(good)]}"#, nil),
        Case("only bad keys", .keys, #"{"keys":[{"kty":"RSA","n":"AQAB","e":"AQAB"}]}"#, .noUsableKey),
        Case("a shared secret", .keys, #"{"keys":[{"kty":"oct","k":"c2VjcmV0"}]}"#, .noUsableKey),
        Case("keys as some providers spell them", .keys, #"{"keys":[\#(odd)]}"#, nil),
        Case("no keys", .keys, #"{"keys":[]}"#, .noUsableKey),
        Case("no key set", .keys, "{}", .keySet),
        Case("keys that are no list", .keys, #"{"keys":{}}"#, .keySet),
        Case("not JSON", .keys, "keys", .keySet),
        Case("not found", .keys, status: 404, keys, .status(404)),
        Case("too much", .keys, keys + blanks, .tooLarge),
        Case(FetchError.refused("x"), .keys),
    ]

    @Test(arguments: Self.cases) func `only valid documents and key sets are accepted`(_ one: Case) async throws {
        let provider = try ScriptedProvider(keys: TestKeys.shared().published)
        switch one.answer {
        case .success(let response): provider.answer(one.purpose, response)
        case .failure(let error): provider.fail(one.purpose, error)
        }
        let directory = provider.directory(ManualClock())
        let broken = await refusal { () async throws(ProviderDirectoryError) in try await directory.keys() }
        #expect(broken == one.expected)
    }

    @Test(
        arguments: [
            ("http://id.example", .insecure), ("https://id.example?x", .url), ("id.example", .url), ("", .url),
        ] as [(String, EndpointPolicyError)])
    func `an issuer that is none is not asked`(_ issuer: String, _ refused: EndpointPolicyError) async throws {
        let provider = try ScriptedProvider(keys: TestKeys.shared().published)
        let directory = provider.directory(ManualClock(), issuer: issuer)
        await #expect(throws: ProviderDirectoryError.metadata(.refused(.issuer, refused))) {
            try await directory.metadata()
        }
        #expect(provider.requests.isEmpty)
    }
}
