/// A broker: whom it is, how this server proves itself to it, and what is believed of its answers.
import JOSE

extension Configuration {
    package struct Broker: Sendable {
        package enum Authentication: String, CaseIterable, Sendable {
            case clientSecretBasic = "client_secret_basic"
            case clientSecretPost = "client_secret_post"
            case privateKeyJWT = "private_key_jwt"
        }

        package enum BasicEncoding: String, CaseIterable, Sendable {
            case form
            case raw
        }

        package enum Audience: String, CaseIterable, Sendable {
            case issuer
            case tokenEndpoint = "token_endpoint"
        }

        package enum RequestObject: String, CaseIterable, Sendable {
            case none
            case signed
        }

        package enum ResponseMode: String, CaseIterable, Sendable {
            case query
            case formPost = "form_post"
        }

        package enum IssuerInResponse: String, CaseIterable, Sendable {
            /// Required where the broker's metadata promises it, optional else.
            case auto
            case require
            case successOnly = "success_only"
            case optional
        }

        package let id: String
        /// Verbatim.
        package let issuer: String
        package let clientID: String
        package let authentication: Authentication
        /// There is one for the two authentications that need it.
        package let clientSecret: Secret?
        package let basicEncoding: BasicEncoding
        package let assertionAudience: Audience
        /// There is one where assertions or request objects are signed.
        package let signer: JWTSigner?
        package let requestObject: RequestObject
        package let responseMode: ResponseMode
        package let idTokenAlgorithms: Set<SignatureAlgorithm>
        package let issuerInResponse: IssuerInResponse
        package let hosts: Set<String>
        package let certificateFile: String?
        package let allowInsecureLoopback: Bool
        package let allowPrivateAddresses: Bool
        package let clockLeeway: Duration
        package let timeout: Duration

        init(_ scope: SettingScope, _ files: NamedFiles) throws(SettingScope.Absent) {
            self.id = scope.name
            self.issuer = try scope.need("issuer", SettingScope.text)
            self.clientID = try scope.need("client_id", SettingScope.text)
            self.authentication = try scope.need("client_authentication", SettingScope.choice)
            self.clientSecret = scope.text("client_secret").map { Secret($0) }
            self.basicEncoding = try scope.need("basic_encoding", SettingScope.choice)
            self.assertionAudience = try scope.need("assertion_audience", SettingScope.choice)
            self.signer = scope.isSigning ? files.signingKeys.signer(scope.choice("signing_algorithm")) : nil
            self.requestObject = try scope.need("request_object", SettingScope.choice)
            self.responseMode = try scope.need("response_mode", SettingScope.choice)
            let algorithms = try scope.need("id_token_algorithms", SettingScope.list)
            self.idTokenAlgorithms = Set(algorithms.compactMap { SignatureAlgorithm(rawValue: $0) })
            self.issuerInResponse = try scope.need("issuer_in_response", SettingScope.choice)
            self.hosts = Set(try scope.need("hosts", SettingScope.list))
            self.certificateFile = scope.text("ca_file")
            self.allowInsecureLoopback = try scope.need("allow_insecure_loopback", SettingScope.boolean)
            self.allowPrivateAddresses = try scope.need("allow_private_addresses", SettingScope.boolean)
            self.clockLeeway = try scope.need("clock_leeway", SettingScope.seconds)
            self.timeout = try scope.need("timeout", SettingScope.seconds)
        }
    }
}

extension SettingScope {
    /// True for a broker that is sent something signed.
    var isSigning: Bool {
        self.text("client_authentication") == Configuration.Broker.Authentication.privateKeyJWT.rawValue
            || self.text("request_object") == Configuration.Broker.RequestObject.signed.rawValue
    }
}
