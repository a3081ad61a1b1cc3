/// The rules for brokers.
import JOSE

extension ConfigurationRules {
    mutating func check(broker: SettingScope) {
        self.checkIssuer(of: broker)
        self.checkSecret(of: broker)
        self.checkSigner(of: broker)
        if broker.list("id_token_algorithms")?.isEmpty == true {
            self.report(broker, "id_token_algorithms", "must name at least one algorithm")
        }
    }

    /// Who tries the server out with a phone, over http and on purpose, has the sandbox provider on the same host.
    private mutating func checkIssuer(of broker: SettingScope) {
        guard let issuer = broker.url("issuer"), issuer.scheme == .http else { return }
        if self.allowsInsecureURLs, issuer.host == self.settings.top.url("public_url")?.host { return }
        if !issuer.isLoopback {
            self.report(broker, "issuer", "must be https; http is only for loopback")
        } else if broker.boolean("allow_insecure_loopback") != true {
            self.report(broker, "issuer", "must be https; http to loopback needs allow_insecure_loopback: true")
        }
    }

    private mutating func checkSecret(of broker: SettingScope) {
        let hasSecret = self.settings.isGiven(broker.path.appending("client_secret"))
        guard let authentication: Configuration.Broker.Authentication = broker.choice("client_authentication") else {
            return
        }
        switch authentication {
        case .clientSecretBasic, .clientSecretPost:
            if !hasSecret { self.report(broker, "client_secret", "is required for \(authentication.rawValue)") }
        case .privateKeyJWT:
            if hasSecret { self.report(broker, "client_secret", "means nothing with private_key_jwt") }
        }
        // RFC 7617 §2: the first colon ends the user, so a client id with one arrives as another.
        if authentication == .clientSecretBasic, broker.text("basic_encoding") == "raw",
            broker.text("client_id")?.contains(":") == true
        {
            self.report(broker, "basic_encoding", "must be form, because the client_id has a colon")
        }
    }

    private mutating func checkSigner(of broker: SettingScope) {
        guard broker.isSigning, self.files.signingKeys.count == self.settings.scopes("keys.signing").count else {
            return
        }
        let algorithm: SignatureAlgorithm? = broker.choice("signing_algorithm")
        guard self.files.signingKeys.signer(algorithm) == nil else { return }
        if let algorithm {
            self.report(broker, "signing_algorithm", "needs a key in keys.signing that makes \(algorithm.rawValue)")
        } else {
            let use =
                broker.text("client_authentication") == "private_key_jwt" ? "client_authentication" : "request_object"
            self.report(broker, use, "needs a key in keys.signing")
        }
    }
}
