/// The parsers of untrusted bytes, each with properties that must be true for any input.
package enum FuzzTarget: String, CaseIterable, Sendable {
    case json
    case jws
    case jwe
    case jwk
    /// In a query or a form_post, which have the same form.
    case authorizationResponse = "authorization-response"
    case jarm
    case discovery
    /// Responses of the token endpoint and of the endpoint for pushed requests.
    case tokenAnswer = "token-answer"
    case idToken = "id-token"
    case userinfo
    /// In the DPoP header of an app.
    case dpopProof = "dpop-proof"
    /// The link that opened the app, as the app sends it to us.
    case link
    /// What DigiD's app puts into such a link, or a third party's.
    case appToApp = "app-app"
    /// The request that a DigiD resolver made.
    case samlRequest = "saml-request"
    case httpRequest = "http-request"
    case chunkedBody = "chunked-body"
    case formBody = "form-body"
    /// HAProxy's PROXY protocol, versions 1 and 2.
    case proxyHeader = "proxy-header"
    /// X-Forwarded-For and Forwarded.
    case forwarded
    /// User-Agent of a create.
    case userAgent = "user-agent"
    /// `traceparent` and `tracestate`.
    case traceFields = "trace-fields"
    /// What a collector of spans answers.
    case protobuf
    /// A file of the audit.
    case audit
    case cbor
    /// Attestation objects, and authenticator data alone.
    case appAttest = "app-attest"
    /// Chains of certificates.
    case keyAttestation = "key-attestation"
    case keyDescription = "key-description"

    /// Throws if a property is violated. A trap on the way is a find too.
    package func judge(_ input: [UInt8]) async throws(Violation) -> Verdict {
        switch self {
        case .json: try JSONTarget.judge(input)
        case .jws: try JWSTarget.judge(input)
        case .jwe: try JWETarget.judge(input)
        case .jwk: try JWKTarget.judge(input)
        case .authorizationResponse: try await AuthorizationResponseTarget.judge(input)
        case .jarm: try await JARMTarget.judge(input)
        case .discovery: try DiscoveryTarget.judge(input)
        case .tokenAnswer: try TokenAnswerTarget.judge(input)
        case .idToken: try await IDTokenTarget.judge(input)
        case .userinfo: try await UserInfoTarget.judge(input)
        case .dpopProof: try DPoPProofTarget.judge(input)
        case .link: try LinkTarget.judge(input)
        case .appToApp: try AppToAppTarget.judge(input)
        case .samlRequest: try SAMLRequestTarget.judge(input)
        case .httpRequest: try HTTPRequestTarget.judge(input)
        case .chunkedBody: try ChunkedBodyTarget.judge(input)
        case .formBody: try FormBodyTarget.judge(input)
        case .proxyHeader: try ProxyHeaderTarget.judge(input)
        case .forwarded: try ForwardedTarget.judge(input)
        case .userAgent: try UserAgentTarget.judge(input)
        case .traceFields: try TraceFieldTarget.judge(input)
        case .protobuf: try ProtobufTarget.judge(input)
        case .audit: try AuditTarget.judge(input)
        case .cbor: try CBORTarget.judge(input)
        case .appAttest: try AppAttestTarget.judge(input)
        case .keyAttestation: try KeyAttestationTarget.judge(input)
        case .keyDescription: try KeyDescriptionTarget.judge(input)
        }
    }
}
