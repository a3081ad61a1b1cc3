import Base
import Brokers
import JOSE
import OpenIDConnect
import Outbound

/// The settings that brokers of every kind have. A kind declares its own. `Configuration.Broker` has the values, and what
/// follows from several of them.
package final class CommonBrokerSettings: SettingGroup {
    package enum Authentication: String, CaseIterable, Sendable {
        case clientSecretBasic = "client_secret_basic"
        case clientSecretPost = "client_secret_post"
        case clientSecretJWT = "client_secret_jwt"
        case privateKeyJWT = "private_key_jwt"
        case tlsClientAuth = "tls_client_auth"
        case selfSignedTLSClientAuth = "self_signed_tls_client_auth"

        var needsSecret: Bool {
            switch self {
            case .clientSecretBasic, .clientSecretPost, .clientSecretJWT: true
            case .privateKeyJWT, .tlsClientAuth, .selfSignedTLSClientAuth: false
            }
        }

        package var needsCertificate: Bool { self == .tlsClientAuth || self == .selfSignedTLSClientAuth }
    }

    package enum BasicEncoding: String, CaseIterable, Sendable {
        case form
        case raw
    }

    package enum Callback: String, CaseIterable, Sendable {
        case backend
        /// The redirect URI is a link that opens the app.
        case app
        /// The same, with the app's own scheme.
        case scheme
    }

    package enum IssuerInResponse: String, CaseIterable, Sendable {
        /// Required if the broker's metadata promises it, otherwise optional. The kind decides whether that
        /// includes errors.
        case auto
        case require
        case successOnly = "success_only"
        /// Never required, even if the metadata promises it.
        case optional
    }

    package let kind = Setting<KnownKind>(
        "brokers.*.kind", required: .choice(of: KnownKind.all), KnownKind.explanation)
    package let issuer = Setting<String>(
        "brokers.*.issuer", required: .plain(.issuer),
        "The issuer, byte for byte as in the broker's discovery document, with or without the final slash.")
    package let clientID = Setting<String>(
        "brokers.*.client_id", required: .plain(.word),
        "The client id of this server at the broker.")
    package let authentication = Setting<Authentication>(
        "brokers.*.client_authentication", .choice, default: .clientSecretBasic,
        "How this server authenticates to the broker: with its client_secret (client_secret_basic, _post or _jwt), with a key in keys.signing (private_key_jwt) or with a certificate (tls_client_auth, self_signed_tls_client_auth)."
    )
    package let clientSecret = Setting<Secret?>(
        "brokers.*.client_secret", optional: .secret, secret: true,
        "The secret for the client_secret methods and for HS request objects. Set it with a variable or its file rather than here."
    )
    package let ownBasicEncoding = Setting<BasicEncoding?>(
        "brokers.*.basic_encoding", optional: .choice,
        "How client_secret_basic encodes id and secret: form, as in RFC 6749 2.3.1 (the default), or raw (the default of kind vipps)."
    )
    package let assertionAudience = Setting<ClientAuthentication.AssertionAudience>(
        "brokers.*.assertion_audience", .choice, default: .issuer,
        "The audience of client assertions (private_key_jwt and client_secret_jwt): issuer, token_endpoint, or endpoint, which is the URL of the request. Use endpoint for brokers that require it with request_style par."
    )
    package let clientCertificateFile = Setting<String?>(
        "brokers.*.client_certificate_file", optional: .file, fills: \OutboundSettings.clientCertificateFile,
        "The certificate, in PEM, that this server sends to the broker (RFC 8705). It may accompany any client_authentication."
    )
    package let clientKeyFile = Setting<String?>(
        "brokers.*.client_key_file", optional: .file, fills: \OutboundSettings.clientKeyFile,
        "The private key of client_certificate_file, in PEM without a password.")
    package let signingAlgorithm = Setting<SignatureAlgorithm?>(
        "brokers.*.signing_algorithm", optional: .choice,
        "The algorithm of client assertions and request objects. Without it the server uses the usual one for the first signing key."
    )
    package let requestStyle = Setting<Client.RequestStyle>(
        "brokers.*.request_style", .choice, default: .plain,
        "How the server sends the authorization request: plain in the URL, par pushed to the broker first (RFC 9126), jar as a signed request object (RFC 9101), or par+jar."
    )
    package let requestObjectAlgorithm = Setting<String?>(
        "brokers.*.request_object_algorithm", optional: .plain(.requestObjectAlgorithm),
        "The algorithm of request objects, if it differs from signing_algorithm. HS256 uses the bytes of client_secret unchanged."
    )
    package let requestObjectType = Setting<String>(
        "brokers.*.request_object_type", .plain(.word), fills: \Client.requestObjectType,
        "The typ of request objects. Some brokers require JWT.")
    package let namesLanguages = Setting<Bool>(
        "brokers.*.ui_locales", .boolean, fills: \Client.namesLanguages,
        "Whether requests name the user's languages (ui_locales). Some brokers refuse parameters that they do not know."
    )
    package let responseMode = Setting<Client.ResponseMode>(
        "brokers.*.response_mode", .choice, default: .query,
        "How the browser brings the response: query or form_post, or signed (JARM) query.jwt or form_post.jwt. json is for flow launch_links, which has no browser."
    )
    package let ownCallback = Setting<Callback>(
        "brokers.*.callback", .choice, default: .backend,
        "Where the broker sends the response: backend is public_url; app is a link to the app on link_url, which the app forwards; scheme is the same with the return_scheme of the only app, for brokers that accept nothing else."
    )
    package let idTokenAlgorithms = Setting<[SignatureAlgorithm]>(
        "brokers.*.id_token_algorithms", .choices(), default: [.rs256, .ps256, .es256],
        "The algorithms that may sign ID tokens and other responses.")
    package let idTokenEncrypted = Setting<Bool>(
        "brokers.*.id_token_encrypted", .boolean, default: false,
        "Whether the broker encrypts ID tokens for a key in keys.decryption. The server then refuses those that are not encrypted."
    )
    package let userInfoFormat = Setting<UserInfoRules.Format>(
        "brokers.*.userinfo_format", .choice, default: .json,
        "The format of userinfo responses: json, signed (a JWT of the broker) or encrypted (such a JWT, encrypted for a key in keys.decryption)."
    )
    package let issuerInResponse = Setting<IssuerInResponse>(
        "brokers.*.issuer_in_response", .choice, default: .auto,
        "Whether responses must name the issuer (RFC 9207): require; success_only, in responses with a code; optional; or auto, which requires it if the broker's discovery promises it (kind signaturgruppen: in responses with a code). A wrong issuer is always refused."
    )
    package let trustedAudiences = Setting<[String]>(
        "brokers.*.trusted_audiences", .list(.word), default: [],
        "Other parties that may be in the audience of the broker's ID tokens and signed userinfo, as in Zitadel's project id: compared as they are written, without patterns. aud must then contain client_id, and azp must name it. Without an entry such a token is refused."
    )
    package let hosts = Setting<Set<String>>(
        "brokers.*.hosts", .set(.host), default: [],
        "The hosts of the broker's endpoints, besides the issuer's host. The server never calls any other host.")
    package let certificateFile = Setting<String?>(
        "brokers.*.ca_file", optional: .file, fills: \OutboundSettings.caFile,
        "A file with the only certificate authorities to trust, in PEM. Without it the server trusts those of the system."
    )
    package let allowInsecureLoopback = Setting<Bool>(
        "brokers.*.allow_insecure_loopback", .boolean, fills: \OutboundSettings.allowInsecureLoopback,
        "Allows http to loopback addresses, for a broker on this machine.")
    package let allowPrivateAddresses = Setting<Bool>(
        "brokers.*.allow_private_addresses", .boolean, fills: \OutboundSettings.allowPrivateAddresses,
        "Allows https to private and loopback addresses, for a broker in the same network.")
    package let pollInterval = Setting<Duration?>(
        "brokers.*.poll_interval", optional: .seconds(0...60),
        "Seconds between two requests to the broker in flows that poll it for the result. Without it the broker's own interval applies, or 5 if it names none; with 0 the server asks four times a second."
    )
    package let clockLeeway = Setting<Duration>(
        "brokers.*.clock_leeway", .seconds(0...300), default: .seconds(60),
        "Seconds that the broker's clock may differ from the clock of this server.")
    package let timeout = Setting<Duration>(
        "brokers.*.timeout", .seconds(1...60), default: .seconds(10),
        "Seconds that one request to the broker may take.")
    package let sendsTraceParent = Setting<Bool>(
        "brokers.*.send_traceparent", .boolean, default: false,
        "Whether requests to the broker say in which trace they are (traceparent and tracestate of W3C Trace Context), so that the broker's traces can be connected with ours. It needs tracing.endpoint."
    )

    package static let declared = CommonBrokerSettings()
}

extension OutboundSettings: SettingsOwner {
    /// It may talk to nobody.
    package init() { self.init(allowedHosts: []) }
}

extension Client: SettingsOwner {
    /// A client of nobody, with the usual values.
    package init() { self.init(clientID: "", authentication: .mutualTLS(selfSigned: false), redirectURI: "") }
}
