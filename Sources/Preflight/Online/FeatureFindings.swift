import Brokers
import JOSE
import KeyFiles
import OpenIDConnect
import ServerConfiguration
import StrictJSON

/// Checks whether a broker says that it supports what is configured for it.
struct FeatureFindings {
    let broker: Configuration.Broker
    /// Those of this broker.
    private let providers: [Provider]
    private let decryptionKeys: [DecryptionKeyFile]
    let metadata: ProviderMetadata
    let document: JSON

    init(
        _ broker: Configuration.Broker, of configuration: Configuration, _ metadata: ProviderMetadata, _ document: JSON
    ) {
        self.broker = broker
        self.providers = configuration.providers.filter { $0.brokerID == broker.id }
        self.decryptionKeys = configuration.decryptionKeys
        self.metadata = metadata
        self.document = document
    }

    func add(to list: inout FindingList) {
        self.addAuthentication(to: &list)
        self.addRequest(to: &list)
        self.addResponse(to: &list)
        self.addTokens(to: &list)
        self.addUserInfo(to: &list)
        for provider in self.providers { self.add(provider, to: &list) }
    }

    private func addAuthentication(to list: inout FindingList) {
        self.compare(
            "client_authentication", [self.broker.authentication.rawValue],
            with: "token_endpoint_auth_methods_supported", usual: "client_secret_basic", &list)
        if let signer = self.broker.assertionSigner {
            self.compare(
                "signing_algorithm", [signer.algorithmName],
                with: "token_endpoint_auth_signing_alg_values_supported", &list)
        }
        if self.broker.authentication.needsCertificate, let failure = self.metadata.mtlsEndpointAliases.failure {
            list.fail(
                "hosts", "mtls_endpoint_aliases are not used, \(failure.raw): add their host, if it is the broker's")
        }
    }

    private func addRequest(to list: inout FindingList) {
        let style = self.broker.requestStyle
        let hasEndpoint = (try? self.metadata.pushedAuthorizationRequestEndpoint.get()) ?? nil != nil
        if style.isPushed, !hasEndpoint {
            list.fail("request_style", "the broker has no pushed_authorization_request_endpoint: use plain or jar")
        } else if !style.isPushed, self.metadata.requirePushedAuthorizationRequests {
            list.fail("request_style", "the broker accepts only pushed requests: use par or par+jar")
        } else if !style.isSigned, self.metadata.requireSignedRequestObject {
            list.fail("request_style", "the broker accepts only signed requests: use jar or par+jar")
        } else {
            list.pass("request_style", "the broker accepts \(style.rawValue)")
        }
        if style == .jar, self.document["request_parameter_supported"]?.bool == false {
            list.fail("request_style", "request_parameter_supported is false: use plain or par")
        }
        if let signer = self.broker.requestObjectSigner {
            self.compare(
                "request_object_algorithm", [signer.algorithmName],
                with: "request_object_signing_alg_values_supported", &list)
        }
        if self.metadata.codeChallengeMethods == nil {
            list.warn(
                "S256", "discovery has no code_challenge_methods_supported: ask the broker whether it checks PKCE")
        } else {
            list.pass("S256", "the broker supports it")
        }
    }

    private func addResponse(to list: inout FindingList) {
        // No discovery document contains that mode.
        if self.broker.responseMode != .json {
            self.compare(
                "response_mode", [self.broker.responseMode.rawValue], with: "response_modes_supported", usual: "query",
                &list)
        }
        if self.broker.responseMode.isJWT {
            self.compare(
                "id_token_algorithms", self.algorithms, with: "authorization_signing_alg_values_supported",
                usual: "RS256", &list)
        }
        switch self.broker.issuerInResponse {
        case .require, .successOnly:
            guard !self.metadata.issParameterSupported, !self.broker.responseMode.isJWT else { return }
            list.warn(
                "issuer_in_response",
                "the broker does not promise iss: a response without it is refused; auto would accept it")
        case .optional:
            guard self.metadata.issParameterSupported else { return }
            list.warn(
                "issuer_in_response",
                "the broker promises iss: a response without it is accepted; auto would refuse it")
        case .auto: break
        }
    }

    private func addTokens(to list: inout FindingList) {
        self.compare(
            "id_token_algorithms", self.algorithms, with: "id_token_signing_alg_values_supported", &list)
        guard self.broker.idTokenEncrypted else { return }
        self.compareEncryption("id_token_encrypted", "id_token", &list)
    }

    private func addUserInfo(to list: inout FindingList) {
        guard self.providers.contains(where: \.usesUserInfo) else { return }
        guard (try? self.metadata.userinfoEndpoint.get()) ?? nil != nil else {
            guard self.broker.userInfoFormat != .json else { return }
            return list.warn(
                "userinfo_format", "discovery has no userinfo_endpoint, so the server asks for no userinfo")
        }
        switch self.broker.userInfoFormat {
        case .json:
            // Without `none` the broker may have no other form than a JWT (Discovery 1.0, 3).
            guard let offeredAlgorithms = self.list("userinfo_signing_alg_values_supported"),
                !offeredAlgorithms.isEmpty,
                !offeredAlgorithms.contains("none")
            else { return }
            list.warn(
                "userinfo_format",
                "json may be wrong: userinfo_signing_alg_values_supported has \(offeredAlgorithms.joined(separator: ", ")) and not none. If a login ends with userinfo_content_type, use signed"
            )
        case .signed:
            self.compare("userinfo_format", self.algorithms, with: "userinfo_signing_alg_values_supported", &list)
        case .encrypted: self.compareEncryption("userinfo_format", "userinfo", &list)
        }
    }

    func list(_ member: String) -> [String]? { self.document[member]?.array?.compactMap(\.string) }

    private var algorithms: [String] {
        SignatureAlgorithm.allCases.filter(self.broker.idTokenAlgorithms.contains).map(\.rawValue)
    }

    /// Compares the algorithms that fit one of our keys.
    private func compareEncryption(_ setting: String, _ token: String, _ list: inout FindingList) {
        let algorithms = KeyManagementAlgorithm.allCases.filter { algorithm in
            self.decryptionKeys.contains { $0.jwk.encrypts(algorithm) }
        }
        self.compare(setting, algorithms.map(\.rawValue), with: "\(token)_encryption_alg_values_supported", &list)
        self.compare(
            setting, ContentEncryption.allCases.map(\.rawValue), with: "\(token)_encryption_enc_values_supported",
            usual: "A128CBC-HS256", &list)
    }

    /// At least one of `wanted` must be in the list. `usual` is what a provider without a list supports.
    private func compare(
        _ setting: String, _ wantedValues: [String], with member: String, usual: String? = nil,
        _ list: inout FindingList
    ) {
        let words = wantedValues.joined(separator: ", ")
        guard let offeredValues = self.list(member) else {
            if let usual, wantedValues.contains(usual) { return list.pass(setting, "every provider supports \(usual)") }
            return list.warn(setting, "discovery has no \(member): ask the broker about \(words)")
        }
        let common = wantedValues.filter(offeredValues.contains)
        if common.isEmpty {
            list.fail(setting, "\(words) is not in \(member), which has \(offeredValues.joined(separator: ", "))")
        } else {
            list.pass(setting, "the broker supports \(common.joined(separator: ", "))")
        }
    }
}
