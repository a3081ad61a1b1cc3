import ServerConfiguration

/// The configuration that `switchback init` writes, as commented YAML.
struct InitConfiguration {
    let answers: InitQuestion.Answers
    let broker: InitBroker
    /// Whether the operator has given a client secret, or will.
    let hasSecret: Bool
    /// The folder of the configuration, without a final slash.
    let folder: String

    /// Nil for other providers, and for brokers with a kind of their own.
    var knownProvider: KnownProvider? { InitQuestion.provider(self.answers) }

    var path: String { "\(self.folder)/switchback.yaml" }
    var secretPath: String { "\(self.folder)/\(self.broker.name).secret" }
    var serverKeyPath: String { "\(self.folder)/server.key" }
    var assertionKeyPath: String { "\(self.folder)/assertion.pem" }
    /// Nil when nothing is signed for the broker.
    var signingKeyPath: String? {
        self.broker.signs(hasSecret: self.hasSecret) ? "\(self.folder)/signing.pem" : nil
    }

    /// `/etc/switchback` is for a service, which keeps its data elsewhere.
    private var database: String {
        self.folder == "/etc/switchback"
            ? "/var/lib/switchback/switchback.db" : "\(self.folder)/data/switchback.db"
    }

    var yaml: String {
        """
        # Switchback for \(self.knownProvider?.title ?? self.broker.title), written by `switchback init`.
        # `switchback check --config FILE` says what is wrong with this file and what to register, and `switchback config`
        # prints every setting with its value. docs/reference/settings.md explains them.

        # Where browsers and the broker reach this server. It must speak https there: with a proxy in front of it, or
        # with tls.certificate and tls.key.
        public_url: \(self.quoted(.publicURL))

        \(self.link)

        # Where the server listens for apps and browsers. 0.0.0.0:8080 is every address of this machine.
        listen: 127.0.0.1:8080

        # One file on this machine, for one server. Several servers need store: postgresql.
        store: sqlite
        sqlite: {path: \(Self.quoted(self.database))}

        # This key encrypts what is stored. `switchback keys rotate` replaces the keys without losing a login.
        # It and all other files are in the folder of this file.
        server_keys: [\(Self.quoted(Self.name(self.serverKeyPath)))]
        keys:
          # Signs the result that your own API believes.
          assertion: [{file: \(Self.quoted(Self.name(self.assertionKeyPath)))}]
        \(self.signing)
        # The apps that may start logins.
        apps:
          \(self.answers[.app] ?? ""):
            name: \(self.quoted(.appName))
        \(self.links)
        # The OpenID provider, and how to talk to it.
        brokers:
          \(self.broker.name):
            kind: \(self.broker.rawValue)
            issuer: \(self.quoted(.issuer))
            client_id: \(self.quoted(.clientID))
        \(self.authentication)\(self.ownSettings)
        # What users choose by a login button: an e-ID, and what to request from its broker.
        providers:
        \(self.provider)
        """
    }

    // MARK: - Parts

    private var link: String {
        guard self.answers[.linkURL] != nil else {
            return """
                # Without link_url and return_prefixes, users type a code from the browser into the app. docs/how-to/links.md
                # describes links.
                """
        }
        return """
            # Where the links lead that open the app. This host must lead to this server too.
            link_url: \(self.quoted(.linkURL))
            """
    }

    private var signing: String {
        guard let path = self.signingKeyPath else { return "" }
        return """
              # Signs what this server sends to the broker, which reads the public key at /client/jwks.json.
              signing: [{file: \(Self.quoted(Self.name(path)))}]

            """
    }

    private var links: String {
        guard let link = self.answers[.linkURL] else { return "    release: code\n" }
        var lines = [
            "    # Links that open the app: the done page of a login leads to one of them.",
            "    return_prefixes: [\(Self.quoted("\(link)/r/"))]",
        ]
        if self.answers[.iosAppID] != nil { lines.append("    ios: {app_ids: [\(self.quoted(.iosAppID))]}") }
        if self.answers[.androidPackage] != nil {
            lines.append(
                "    android: [{package: \(self.quoted(.androidPackage)), "
                    + "sha256_cert_fingerprints: [\(self.quoted(.androidFingerprint))]}]")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private var authentication: String {
        guard self.hasSecret else { return "    client_authentication: private_key_jwt\n" }
        return """
                # The file with the client secret, and nothing else in it.
                client_secret_file: \(Self.quoted(Self.name(self.secretPath)))

            """
    }

    /// The resolver may be on another host than the issuer, which must then be named.
    private var resolverHosts: String {
        let host = URLHost.of(self.answers[.resolver] ?? "")
        return host == URLHost.of(self.answers[.issuer] ?? "") ? "" : "    hosts: [\"\(host)\"]\n"
    }

    private func quoted(_ question: InitQuestion) -> String { Self.quoted(self.answers[question] ?? "") }

    /// The path as the configuration has it, which is in the same folder.
    private static func name(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }

    /// Answers have no control characters, so only two characters need a backslash (YAML 1.2 §7.3.1).
    static func quoted(_ text: String) -> String {
        // By scalars: a quote and a combining mark after it are one character.
        "\"\(text.unicodeScalars.map { ["\\", "\""].contains($0) ? "\\\($0)" : String($0) }.joined())\""
    }
}

// MARK: - What differs between brokers

extension InitConfiguration {
    private var ownSettings: String {
        switch self.broker {
        case .signaturgruppen:
            """
                # The broker refuses a wrong request at once, and the browser's URL contains nothing about the user.
                request_style: par+jar
                response_mode: form_post
                id_token_algorithms: [RS256]

            """
        case .idura:
            """
                # What the user confirms is not in the browser's URL.
                request_style: par
                response_mode: form_post

            """
        case .vipps:
            """
                # The Vipps app returns to yours, and the browser brings the response. docs/how-to/links.md has another way.
                callback: backend

            """
        case .digid:
            """
                # The resolver makes the requests, and `init` of the registration returns them.
                resolver: \(self.quoted(.resolver))
            \(self.resolverHosts)    authn_context: midden

            """
        case .oidc:
            self.knownProvider.map { $0.broker.map { $0.yaml("    ") }.joined() }
                ?? """
                    # Better, if the broker has it: par, which pushes the request to the broker first.
                    request_style: plain

                """
        }
    }

    private var provider: String {
        switch self.broker {
        case .signaturgruppen:
            """
              mitid:
                broker: neb
                names: MitID
                countries: [DK, GL]
                idp_values: [mitid]
                # Add ssn for the CPR number, for services that may request it.
                scope: [openid, mitid]
                prompt: login
                minimum_assurance: substantial
                reference_text: \(Self.quoted("Log in to \(self.answers[.appName] ?? "")"))

            """
        case .idura:
            """
              mitid:
                broker: idura
                names: MitID
                countries: [DK, GL]
                acr_values: ["urn:grn:authn:dk:mitid:substantial"]
                message: \(Self.quoted("Log in to \(self.answers[.appName] ?? "")"))
                action: confirm
              # Other e-IDs of Idura, each with its own button:
              # bankid_no:
              #   broker: idura
              #   names: BankID
              #   countries: ["NO"]
              #   acr_values: ["urn:grn:authn:no:bankid:substantial"]
              # bankid_se:
              #   broker: idura
              #   names: BankID
              #   countries: [SE]
              #   eid: se_bankid
              #   assurance: substantial
              #   acr_values: ["urn:grn:authn:se:bankid"]

            """
        case .vipps:
            """
              vipps:
                broker: vipps
                names: Vipps
                countries: ["NO", DK, FI, SE]
                scope: [openid, name, birthDate]

            """
        case .digid:
            """
              digid:
                broker: digid
                names: DigiD
                countries: [NL]
                # The scope for OneWelcome.
                scope: [read]
                national_id_claim: bsn
                national_id_type: "nl:bsn"

            """
        case .oidc:
            """
              eid:
                broker: \(self.broker.name)
                names: \(self.quoted(.eidName))
            \(self.openID)
            """
        }
    }

    /// What is requested of an OpenID provider, and how its logins are checked.
    private var openID: String {
        let scope = KnownProvider.Line(
            "scope", "[\((self.knownProvider?.scopeList ?? ["openid", "profile"]).joined(separator: ", "))]")
        let freshness =
            switch self.knownProvider?.freshness {
            case nil, .proved?:
                """
                    # Users log in anew each time, and the server checks that they did.
                    prompt: login

                """
            case .recent?:
                """
                    # Who logged in less than five minutes ago is not asked again, and the server checks when that was.
                    max_age: 300

                """
            case .unproved?:
                """
                    # This provider cannot prove that a user has just logged in, so prompt: login would not help.

                """
            }
        return scope.yaml("    ") + freshness + (self.knownProvider?.provider ?? []).map { $0.yaml("    ") }.joined()
    }
}
