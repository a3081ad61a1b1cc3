// E-IDs of a country or a government, and brokers of them. Idura, Signaturgruppen, Vipps and DigiD have kinds of their
// own (`--broker`).

extension KnownProvider {
    static let eIDs: [Self] = [
        Self(
            name: "signicat", title: "Signicat", group: .eIDs,
            issuer: .own("https://example.app.signicat.com/auth/open"),
            freshness: .proved, scope: ["openid", "profile", "idp-id"], broker: [.pushed],
            provider: [Line("code_lifetime", "15", "Its codes end after 15 seconds.")],
            advice: [
                """
                Users choose the e-ID on Signicat's page, or you fix it for the client in the Dashboard. Do not name it \
                in `acr_values` as in `idp:nbid`: the ID token does not repeat it, and the server would refuse it.
                """,
                "Set ID token user data to All, or leave `userinfo` on.",
            ],
            sources: [
                "https://developer.signicat.com/identity-methods/sbid/setup/oidc-setup-sbid.html",
                "https://developer.signicat.com/identity-methods/nbid/integration-guide/oidc-nbid/authorization-nbid/",
            ]),
        Self(
            name: "bankid-no", title: "Norwegian BankID", group: .eIDs,
            issuer: .same("https://auth.bankid.no/auth/realms/prod"), freshness: .proved,
            broker: [.post, .plain, .signedUserinfo],
            provider: [
                Line("countries", "[\"NO\"]"),
                Line("amr_values", "[BID, BIS]", "BankID High with a code device or the app, and with biometrics."),
            ],
            advice: ["For tests the issuer is https://auth.current.bankid.no/auth/realms/current."],
            sources: [
                "https://confluence.bankidnorge.no/confluence/pdoidcl/technical-documentation/core-concepts/id-token",
                "https://github.com/nextauthjs/next-auth/blob/main/packages/core/src/providers/bankid-no.ts",
                "https://github.com/IdentityModel/identity-model-oidc-client-js/issues/635",
            ]),
        Self(
            name: "id-porten", title: "ID-porten (Norway)", group: .eIDs, issuer: .same("https://idporten.no"),
            freshness: .proved, broker: [.pushed, .hosts("login.idporten.no")],
            provider: [
                Line("countries", "[\"NO\"]"), Line("acr_values", "[idporten-loa-substantial, idporten-loa-high]"),
                Line("assurance", "substantial", "Both levels are at least this one."),
            ],
            advice: ["For tests the issuer is https://test.idporten.no, with the host login.test.idporten.no."],
            sources: [
                "https://docs.digdir.no/docs/idporten/oidc/oidc_protocol_id_token",
                "https://docs.digdir.no/docs/idporten/oidc/oidc_protocol_authorize",
            ]),
        Self(
            name: "login-gov", title: "Login.gov (USA)", group: .eIDs, issuer: .same("https://secure.login.gov"),
            scope: ["openid", "email"],
            broker: [
                .plain, Line("signing_algorithm", "RS256"),
                Line("assertion_audience", "token_endpoint", "The audience that Login.gov wants in client assertions."),
            ],
            provider: [
                Line("prompt", "select_account"),
                Line("acr_values", "[\"http://idmanagement.gov/ns/assurance/ial/1\"]"),
            ],
            hasSecret: false, signingKey: .rs256,
            advice: [
                "Register the public key of signing.pem as a certificate: it must be an RSA key.",
                """
                `prompt=login` needs a permission, and its ID tokens have no `auth_time`: the server cannot prove a fresh \
                authentication.
                """,
            ],
            sources: ["https://developers.login.gov/oidc/"]),
        Self(
            name: "id-me", title: "ID.me", group: .eIDs, issuer: .same("https://api.id.me/oidc"),
            scope: ["openid", "http://idmanagement.gov/ns/assurance/ial/2/aal/2"],
            broker: [.post, .plain, .signedUserinfo],
            advice: ["The second scope is the policy that ID.me gave you."],
            sources: ["https://developers.id.me/documentation/openid"]),
        Self(
            name: "franceconnect", title: "FranceConnect", group: .eIDs,
            issuer: .same("https://oidc.franceconnect.gouv.fr/api/v2"),
            refusal: """
                FranceConnect refuses requests with a parameter that it does not list, and `code_challenge` is none of \
                them: the server sends no request without PKCE
                """,
            sources: [
                "https://docs.partenaires.franceconnect.gouv.fr/fs/fs-technique/fs-technique-endpoints/",
                "https://github.com/france-connect/sources",
            ]),
        Self(
            name: "proconnect", title: "ProConnect (AgentConnect, France)", group: .eIDs,
            issuer: .own("https://auth.example.fr/api/v2"),
            scope: ["openid", "given_name", "usual_name", "email", "siret"],
            broker: [
                .post, .plain, .signedUserinfo,
                Line("ui_locales", "false", "ProConnect refuses parameters that it does not know."),
            ], provider: [Line("countries", "[FR]")],
            advice: [
                "The issuer is `https://PROCONNECT_DOMAIN/api/v2`, with the domain of your network and environment.",
                "Have them register ES256 or RS256: HS256 is refused.",
                """
                Its codes end after 30 seconds, and it keeps users logged in for 12 hours: the server cannot prove a \
                fresh authentication.
                """,
            ],
            sources: [
                "https://github.com/numerique-gouv/proconnect-documentation/blob/main/doc_fs/implementation_technique.md",
                "https://github.com/quarkusio/quarkus/issues/42341",
                "https://github.com/proconnect-gouv/federation",
            ]),
        Self(
            name: "mojeid", title: "MojeID (Czechia)", group: .eIDs, issuer: .same("https://mojeid.cz/oidc/"),
            freshness: .proved, broker: [.plain, .rs256], provider: [Line("countries", "[CZ]")],
            advice: ["The issuer ends with a slash."],
            sources: [
                "https://www.mojeid.cz/dokumentace/html/ImplementacePodporyMojeid/OpenidConnect/index.html",
                "https://github.com/svintit/flask-oidc-ext/issues/4",
            ]),
        Self(
            name: "itsme", title: "itsme (Belgium)", group: .eIDs, issuer: .same("https://idp.prd.itsme.services/v2"),
            refusal: """
                itsme encrypts ID tokens and userinfo for a key of yours, which `init` does not write. Write the \
                configuration by hand: keys.decryption, id_token_encrypted and userinfo_format encrypted, with \
                private_key_jwt
                """,
            sources: ["https://belgianmobileid.github.io/doc/authentication/"]),
    ]
}
