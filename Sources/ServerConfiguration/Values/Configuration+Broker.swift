// A broker: its identity, how this server authenticates to it, and which of its responses are valid.

import Base
import Brokers
import JOSE
import OpenIDConnect

extension Configuration {
    package struct Broker: Sendable {
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

        package typealias Audience = ClientAuthentication.AssertionAudience
        package typealias RequestStyle = Client.RequestStyle
        package typealias ResponseMode = Client.ResponseMode

        package enum Callback: String, CaseIterable, Sendable {
            case backend
            /// The redirect URI is a link that opens the app.
            case app
            /// The same, with the app's own scheme.
            case scheme
        }

        package typealias UserInfoFormat = UserInfoRules.Format

        package enum IssuerInResponse: String, CaseIterable, Sendable {
            /// Required if the broker's metadata promises it, otherwise optional. The kind decides whether that
            /// includes errors.
            case auto
            case require
            case successOnly = "success_only"
            /// Never required, even if the metadata promises it.
            case optional
        }

        package typealias Kind = KnownKind

        package let id: String
        package let kind: Kind
        /// How it differs from plain OpenID Connect. Nil if it does not speak OpenID Connect.
        package let openID: (any BrokerKind)?
        /// Kept verbatim.
        package let issuer: String
        package let clientID: String
        package let authentication: Authentication
        /// Set if the authentication needs it, or if it is a signing key.
        package let clientSecret: Secret?
        package let basicEncoding: BasicEncoding
        package let assertionAudience: Audience
        /// Set if client assertions are signed.
        package let assertionSigner: JWTSigner?
        package let requestStyle: RequestStyle
        /// Set if request objects are signed.
        package let requestObjectSigner: JWTSigner?
        package let requestObjectType: String
        package let namesLanguages: Bool
        package let responseMode: ResponseMode
        package let callback: Callback
        package let idTokenAlgorithms: Set<SignatureAlgorithm>
        package let idTokenEncrypted: Bool
        package let userInfoFormat: UserInfoFormat
        package let issuerInResponse: IssuerInResponse
        /// Verbatim.
        package let trustedAudiences: [String]
        package let hosts: Set<String>
        package let certificateFile: String?
        package let clientCertificateFile: String?
        package let clientKeyFile: String?
        package let allowInsecureLoopback: Bool
        package let allowPrivateAddresses: Bool
        /// Set for kind digid.
        package let digid: DigiDOptions?
        /// Nil if the broker decides.
        package let pollInterval: Duration?
        package let clockLeeway: Duration
        package let timeout: Duration
        package let sendsTraceParent: Bool

        init(_ scope: SettingScope, _ files: ReferencedFiles) throws(ConfigurationError) {
            self.id = scope.name
            self.kind = try scope.need("kind", SettingScope.choice)
            self.openID = self.kind.openID(scope)
            self.issuer = try scope.need("issuer", SettingScope.text)
            self.clientID = try scope.need("client_id", SettingScope.text)
            self.authentication = try scope.need("client_authentication", SettingScope.choice)
            self.clientSecret = scope.text("client_secret").map { Secret($0) }
            self.basicEncoding = scope.choice("basic_encoding") ?? (self.kind.encodesCredentials ? .form : .raw)
            self.assertionAudience = try scope.need("assertion_audience", SettingScope.choice)
            self.assertionSigner = scope.assertionSigner(files)
            self.requestStyle = try scope.need("request_style", SettingScope.choice)
            self.requestObjectSigner = scope.requestObjectSigner(files)
            self.requestObjectType = try scope.need("request_object_type", SettingScope.text)
            self.namesLanguages = try scope.need("ui_locales", SettingScope.boolean)
            self.responseMode = try scope.need("response_mode", SettingScope.choice)
            // DigiD's app supports no other way to return.
            self.callback = self.kind == .digid ? .app : try scope.need("callback", SettingScope.choice)
            let algorithms = try scope.need("id_token_algorithms", SettingScope.list)
            self.idTokenAlgorithms = Set(algorithms.compactMap { SignatureAlgorithm(rawValue: $0) })
            self.idTokenEncrypted = try scope.need("id_token_encrypted", SettingScope.boolean)
            self.userInfoFormat = try scope.need("userinfo_format", SettingScope.choice)
            self.issuerInResponse = try scope.need("issuer_in_response", SettingScope.choice)
            self.trustedAudiences = try scope.need("trusted_audiences", SettingScope.list)
            self.hosts = Set(try scope.need("hosts", SettingScope.list))
            self.certificateFile = scope.text("ca_file")
            self.clientCertificateFile = scope.text("client_certificate_file")
            self.clientKeyFile = scope.text("client_key_file")
            self.allowInsecureLoopback = try scope.need("allow_insecure_loopback", SettingScope.boolean)
            self.allowPrivateAddresses = try scope.need("allow_private_addresses", SettingScope.boolean)
            self.pollInterval = scope.integer("poll_interval").map { .seconds($0) }
            self.digid = try scope.digid(self.kind, files)
            self.clockLeeway = try scope.need("clock_leeway", SettingScope.seconds)
            self.timeout = try scope.need("timeout", SettingScope.seconds)
            self.sendsTraceParent = try scope.need("send_traceparent", SettingScope.boolean)
        }
    }
}

/// What we sign for a broker, and with which key or secret.
extension SettingScope {
    var brokerKind: Configuration.Broker.Kind? { self.choice("kind") }

    var brokerCallback: Configuration.Broker.Callback? { self.choice("callback") }

    var brokerAuthentication: Configuration.Broker.Authentication? { self.choice("client_authentication") }

    private var secret: Secret? { self.text("client_secret").map { Secret($0) } }

    var signsRequestObjects: Bool {
        let style: Client.RequestStyle? = self.choice("request_style")
        return style?.isSigned ?? false
    }

    /// The algorithm of request objects, if it uses the client secret.
    private var requestObjectMAC: MACAlgorithm? { self.choice("request_object_algorithm") }

    /// True if one of our keys signs something.
    var needsSigningKey: Bool {
        self.brokerAuthentication == .privateKeyJWT || (self.signsRequestObjects && self.requestObjectMAC == nil)
    }

    /// True if the client secret is a key.
    var needsSecretAsKey: Bool {
        self.brokerAuthentication == .clientSecretJWT || (self.signsRequestObjects && self.requestObjectMAC != nil)
    }

    /// Returns nil if nothing is signed, or if no key fits, which a rule reports.
    func assertionSigner(_ files: ReferencedFiles) -> JWTSigner? {
        switch self.brokerAuthentication {
        case .privateKeyJWT:
            files.signingKeys.signer(self.choice("signing_algorithm"))
        case .clientSecretJWT:
            self.secret.flatMap { try? JWTSigner(secret: $0, algorithm: .hs256) }
        case .clientSecretBasic, .clientSecretPost, .tlsClientAuth, .selfSignedTLSClientAuth, nil:
            nil
        }
    }

    /// Returns nil if nothing is signed, or if no key fits, which a rule reports.
    func requestObjectSigner(_ files: ReferencedFiles) -> JWTSigner? {
        guard self.signsRequestObjects else { return nil }
        if let algorithm = self.requestObjectMAC {
            return self.secret.flatMap { try? JWTSigner(secret: $0, algorithm: algorithm) }
        }
        return files.signingKeys.signer(self.choice("request_object_algorithm") ?? self.choice("signing_algorithm"))
    }
}

extension SettingScope: OptionValues {
    var place: String { "\(self.path)" }

    /// Returns nil for any other kind.
    fileprivate func digid(_ kind: KnownKind, _ files: ReferencedFiles) throws(ConfigurationError) -> DigiDOptions? {
        guard kind == .digid else { return nil }
        let isNumber = self.text("subject_claim").map(NationalNumberClaim.isOne) ?? false
        let key = files.signingKeys.first { $0.fits(.rs256) }
        guard let digid = DigiDOptions(self, key: key?.key, personKey: isNumber ? files.personKey : nil) else {
            throw self.absence(of: "resolver")
        }
        return digid
    }
}
