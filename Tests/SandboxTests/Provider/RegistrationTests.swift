import Base
import HTTPWire
import Sandbox
import Testing

/// Registrations and issuers that the provider refuses.
@Suite struct RegistrationTests {
    static let wrong: [(name: String, client: SandboxClient)] = [
        ("no id", .init(clientID: "", secret: Secret("s"), redirectURIs: ["https://a/"], authentication: .secretPost)),
        ("no redirect URI", .init(clientID: "a", secret: Secret("s"), redirectURIs: [], authentication: .secretPost)),
        (
            "a relative URI",
            .init(clientID: "a", secret: Secret("s"), redirectURIs: ["/cb"], authentication: .secretPost)
        ),
        (
            "a fragment",
            .init(clientID: "a", secret: Secret("s"), redirectURIs: ["https://a/#b"], authentication: .secretPost)
        ),
        (
            "a policy of its own",
            .init(
                clientID: "a", secret: Secret("s"), redirectURIs: ["https://a;img-src *"], authentication: .secretPost)
        ),
        ("no secret", .init(clientID: "a", redirectURIs: ["https://a/"], authentication: .secretBasic)),
        ("no keys", .init(clientID: "a", redirectURIs: ["https://a/"], authentication: .privateKeyJWT)),
        ("no certificate", .init(clientID: "a", redirectURIs: ["https://a/"], authentication: .tlsClientAuth)),
        (
            "no keys and no secret for its objects",
            .init(
                clientID: "a", redirectURIs: ["https://a/"], authentication: .tlsClientAuth,
                requiresRequestObject: true, certificate: [0])
        ),
    ]

    @Test(arguments: wrong) func `a wrong registration is refused`(name: String, client: SandboxClient) {
        let error = #expect(throws: OperatorError.self) {
            try SandboxProvider(clients: [client], now: { Timestamp(seconds: 0) })
        }
        #expect(error?.description.hasPrefix("the client \(client.clientID) cannot be registered: ") == true)
    }

    @Test(arguments: ["https://a/", "https://a/op", "a", "", "https://a?b"])
    func `an issuer that is no origin is refused`(issuer: String) {
        let error = #expect(throws: OperatorError.self) {
            try SandboxProvider(issuer: issuer, now: { Timestamp(seconds: 0) })
        }
        #expect(error?.description.hasPrefix("\(issuer) is not an issuer: ") == true)
    }

    @Test func `an issuer of one's own is used`() throws {
        let provider = try SandboxProvider(issuer: "https://sandbox.example:8443", now: { Timestamp(seconds: 0) })
        #expect(provider.issuer == "https://sandbox.example:8443")
    }
}
