// The rules for brokers.

import OpenIDConnect

extension ConfigurationValidator {
    mutating func check(broker: SettingScope) {
        self.checkIssuer(of: broker)
        self.checkSecret(of: broker)
        self.checkCertificate(of: broker)
        self.checkSigner(of: broker)
        self.checkDecryption(of: broker)
        self.checkCallback(of: broker)
        self.checkTrustedAudiences(of: broker)
        if let kind = broker.brokerKind {
            self.checkOptions(of: broker, kind, \.settings)
            self.add(kind.problems(ofBroker: broker, in: self.settings.top), nil, broker)
        }
        self.checkDigiD(broker)
        self.checkUse(of: broker)
        if broker.list("id_token_algorithms")?.isEmpty == true {
            self.report(broker, "id_token_algorithms", "must name at least one algorithm")
        }
    }

    private mutating func checkUse(of broker: SettingScope) {
        let providers = self.settings.scopes("providers")
        // A name that was refused or is misspelt has its own message.
        let names = self.settings.scopes("brokers").map(\.name)
        guard !providers.isEmpty, providers.allSatisfy({ $0.text("broker").map(names.contains) ?? false }),
            !providers.contains(where: { $0.text("broker") == broker.name })
        else { return }
        self.problems.append(
            self.settings.problem(
                broker.path, "no provider has this broker. Name it in broker of a provider, or remove it", .warning))
    }

    /// An operator who tests with a phone, over http and on purpose, has the sandbox provider on the same host.
    private mutating func checkIssuer(of broker: SettingScope) {
        guard let issuer = broker.url("issuer") else { return }
        if let advice = IssuerMistake.advice(on: issuer) { return self.report(broker, "issuer", advice) }
        if issuer.scheme == .https, Self.isPrivate(issuer.host),
            broker.boolean("allow_private_addresses") != true
        {
            return self.report(
                broker, "issuer",
                "is a private address, which the server calls only with allow_private_addresses: true")
        }
        guard issuer.scheme == .http else { return }
        if self.allowsInsecureURLs, issuer.host == self.settings.server.publicURL?.host { return }
        if !issuer.isLoopback {
            self.report(broker, "issuer", "must be https; http is only for loopback")
        } else if broker.boolean("allow_insecure_loopback") != true {
            self.report(broker, "issuer", "must be https; http to loopback needs allow_insecure_loopback: true")
        }
    }

    /// A token for another of our clients is no token for this one, whatever else it says.
    private mutating func checkTrustedAudiences(of broker: SettingScope) {
        for party in broker.list("trusted_audiences") ?? [] {
            if party == broker.text("client_id") {
                self.warn(broker, "trusted_audiences", "names client_id itself, which is always trusted. Remove it")
            } else if party.contains("*") {
                self.warn(
                    broker, "trusted_audiences",
                    "\(party) is compared as it is written: a star stands for nothing else. Name each audience")
            }
            let others = self.settings.scopes("brokers").filter { $0.name != broker.name }
            guard let other = others.first(where: { $0.text("client_id") == party }) else { continue }
            self.warn(
                broker, "trusted_audiences",
                "\(party) is the client_id of \(other.path), whose logins this broker's tokens are not for. Remove it unless the broker puts both clients into one token"
            )
        }
    }

    private mutating func checkSecret(of broker: SettingScope) {
        let hasSecret = self.settings.isGiven(broker.path.appending("client_secret"))
        guard let authentication = broker.brokerAuthentication else {
            return
        }
        if authentication.needsSecret {
            if !hasSecret { self.reportMissingSecret(of: broker, for: "for \(authentication.rawValue)") }
        } else if broker.needsSecretAsKey {
            if !hasSecret { self.reportMissingSecret(of: broker, for: "to sign request objects") }
        } else if hasSecret {
            self.report(broker, "client_secret", "has no effect with \(authentication.rawValue)")
        }
        if let text = broker.text("client_secret"), text.hasPrefix("/"), (try? self.access.read(text)) != nil {
            self.warn(
                broker, "client_secret",
                "is the path of a file, and not what is in it. Write client_secret_file in place of client_secret"
            )
        }
        // RFC 7617 §2: the first colon ends the user name, so a client id with a colon would arrive as another one.
        if authentication == .clientSecretBasic,
            broker.choice("basic_encoding") == Configuration.Broker.BasicEncoding.raw,
            broker.text("client_id")?.contains(":") == true
        {
            self.report(broker, "basic_encoding", "must be form, because client_id contains a colon")
        }
    }

    private mutating func reportMissingSecret(of broker: SettingScope, for use: String) {
        let variable = broker.path.appending("client_secret").variable
        self.report(
            broker, "client_secret",
            "is required \(use): write it to a file, and name the file in client_secret_file, or in the variable \(variable)_FILE"
        )
    }

    private mutating func checkCertificate(of broker: SettingScope) {
        let certificate = broker.text("client_certificate_file")
        let key = broker.text("client_key_file")
        if certificate != nil, key == nil {
            self.report(broker, "client_key_file", "is required for client_certificate_file")
        }
        if key != nil, certificate == nil {
            self.report(broker, "client_certificate_file", "is required for client_key_file")
        }
        if let authentication = broker.brokerAuthentication, authentication.needsCertificate, certificate == nil,
            key == nil
        {
            self.report(broker, "client_certificate_file", "is required for \(authentication.rawValue)")
        }
    }

    private mutating func checkSigner(of broker: SettingScope) {
        self.checkSecretAsKey(of: broker)
        // A file that was refused needs no second error.
        guard broker.needsSigningKey, self.files.signingKeys.count == self.settings.server.keys.signing.count else {
            return
        }
        let usesKey = broker.brokerAuthentication == .privateKeyJWT
        if usesKey, broker.assertionSigner(self.files) == nil {
            self.reportNoKey(broker, "signing_algorithm", for: "client_authentication")
        } else if broker.signsRequestObjects, broker.requestObjectSigner(self.files) == nil {
            let isOwn = broker.text("request_object_algorithm") != nil
            self.reportNoKey(broker, isOwn ? "request_object_algorithm" : "signing_algorithm", for: "request_style")
        }
    }

    private mutating func reportNoKey(_ broker: SettingScope, _ algorithm: String, for use: String) {
        if let name = broker.text(algorithm) {
            self.report(broker, algorithm, "needs a key in keys.signing that supports \(name)")
        } else {
            self.report(broker, use, "needs a key in keys.signing")
        }
    }

    /// RFC 7518 §3.2: an HMAC key must be at least as long as its digest.
    private mutating func checkSecretAsKey(of broker: SettingScope) {
        guard broker.needsSecretAsKey, broker.text("client_secret") != nil else { return }
        let lacksObjects =
            broker.signsRequestObjects && !broker.needsSigningKey && broker.requestObjectSigner(self.files) == nil
        let lacksAssertions =
            broker.brokerAuthentication == .clientSecretJWT && broker.assertionSigner(self.files) == nil
        guard lacksObjects || lacksAssertions else { return }
        self.report(broker, "client_secret", "is too short to sign with: HS256 needs at least 32 bytes, HS512 64")
    }

    private mutating func checkDecryption(of broker: SettingScope) {
        guard self.settings.server.keys.decryption.isEmpty else { return }
        if broker.boolean("id_token_encrypted") == true {
            self.report(broker, "id_token_encrypted", "needs a key in keys.decryption")
        }
        if broker.choice("userinfo_format") == UserInfoRules.Format.encrypted {
            self.report(broker, "userinfo_format", "needs a key in keys.decryption")
        }
    }

    /// A browser may open an app when it follows a link, but never when it posts a form.
    private mutating func checkCallback(of broker: SettingScope) {
        guard let callback = broker.brokerCallback else { return }
        let apps = self.settings.scopes("apps")
        switch callback {
        case .backend: return
        case .app where self.settings.server.linkURL == nil:
            self.report(broker, "callback", "needs link_url: the redirect URI is a link on it")
        case .scheme where apps.count != 1 || apps.first?.text("return_scheme") == nil:
            self.report(broker, "callback", "scheme needs exactly one app, with a return_scheme")
        case .scheme where apps.first?.boolean("proof_over_scheme") != true:
            self.report(
                broker, "callback",
                "scheme sends the broker's response, which proves a login, to the app's own scheme, which any other app on the phone can claim too: use app, or accept the risk with proof_over_scheme: true of the app"
            )
        case .app, .scheme: break
        }
        // The broker's page leads to the link, so this is the same rule as for public_url and link_url.
        if callback == .app, let link = self.settings.server.linkURL, link.host == broker.url("issuer")?.host,
            !link.isLoopback, !self.allowsInsecureURLs
        {
            self.warn(
                broker, "callback",
                "app needs link_url on another host than the broker's pages, because phones open a link to the page's own host in the browser. Use another host for link_url"
            )
        }
        let mode: Client.ResponseMode? = broker.choice("response_mode")
        if mode == .formPost || mode == .formPostJWT {
            self.report(
                broker, "response_mode",
                "must be query or query.jwt with callback: \(callback.rawValue), because a form cannot open an app")
        }
    }
}
