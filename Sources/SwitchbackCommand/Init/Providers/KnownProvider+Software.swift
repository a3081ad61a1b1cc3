/// Providers that an operator runs on machines of their own.
extension KnownProvider {
    static let software: [Self] = [
        Self(
            name: "keycloak", title: "Keycloak", group: .software, issuer: .own("https://id.example.com/realms/main"),
            freshness: .proved, broker: [.pushed, .rs256],
            advice: ["Switch Client authentication on. Its ID tokens have `auth_time` by the client scope `basic`."],
            sources: [
                "https://www.keycloak.org/securing-apps/oidc-layers",
                "https://github.com/keycloak/keycloak/issues/16064",
            ]),
        Self(
            name: "zitadel", title: "Zitadel", group: .software, issuer: .own("https://example.zitadel.cloud"),
            freshness: .proved,
            broker: [
                .plain, .rs256,
                Line(
                    "trusted_audiences", "[\"000000000000000000\"]",
                    "Zitadel adds the resource id of its project to every audience: put yours here."),
            ],
            advice: [
                "Replace the number by the Resource Id of your project, which Zitadel adds to each token's audience.",
                "Choose the authentication method Basic.",
            ],
            sources: [
                "https://zitadel.com/docs/apis/openidoauth/claims",
                "https://github.com/dani-garcia/vaultwarden/issues/6650",
            ]),
        Self(
            name: "authentik", title: "authentik", group: .software,
            issuer: .own("https://auth.example.com/application/o/shop/"), freshness: .proved, broker: [.plain],
            advice: [
                "The issuer ends with a slash; shop is the slug of the application.",
                "Choose a Signing Key: without one, authentik signs with the secret (HS256), which the server refuses.",
            ],
            sources: [
                "https://docs.goauthentik.io/add-secure-apps/providers/oauth2/",
                "https://github.com/goauthentik/authentik/issues/3739",
            ]),
        Self(
            name: "authelia", title: "Authelia", group: .software, issuer: .own("https://auth.example.com"),
            freshness: .proved, broker: [.pushed],
            advice: ["Its ID tokens say little about the user; the server gets the rest from userinfo."],
            sources: [
                "https://www.authelia.com/integration/openid-connect/openid-connect-1.0-claims/",
                "https://github.com/bacularis/bacularis-app/issues/117",
            ]),
        Self(
            name: "dex", title: "Dex", group: .software, issuer: .own("https://dex.example.com/dex"),
            broker: [.plain],
            advice: ["Without sessions, Dex sends no `auth_time`: the server cannot prove a fresh authentication."],
            sources: ["https://github.com/dexidp/dex/issues/1052", "https://dexidp.io/docs/openid-connect/"]),
        Self(
            name: "adfs", title: "AD FS", group: .software, issuer: .own("https://adfs.example.com/adfs"),
            freshness: .proved, broker: [.post, .plain],
            provider: [Line("userinfo", "false", "Its userinfo has nothing but sub.")],
            advice: [
                "Add the claims (name, given_name, family_name) to the application group as Issuance Transform Rules.",
                "PKCE needs AD FS 2019 or later: its discovery does not say so.",
            ],
            sources: [
                "https://learn.microsoft.com/en-us/windows-server/identity/ad-fs/overview/ad-fs-openid-connect-oauth-flows-scenarios",
                "https://github.com/elastic/elasticsearch/issues/43709",
            ]),
        Self(
            name: "duende", title: "Duende IdentityServer", group: .software, issuer: .own("https://id.example.com"),
            freshness: .proved, broker: [.plain],
            advice: ["With an edition that has pushed requests, `request_style: par` is better."],
            sources: ["https://docs.duendesoftware.com/identityserver/reference/v7/endpoints/discovery/"]),
        Self(
            name: "casdoor", title: "Casdoor", group: .software, issuer: .own("https://door.example.com"),
            broker: [.post, .plain, .rs256],
            advice: ["Its ID tokens have no `auth_time`, so the server cannot prove a fresh authentication."],
            sources: ["https://casdoor.org/docs/how-to-connect/oidc-client"]),
        Self(
            name: "kanidm", title: "Kanidm", group: .software,
            issuer: .own("https://idm.example.com/oauth2/openid/shop"), broker: [.plain],
            advice: [
                "shop is the name of the client in Kanidm. Its keys are of the client, and sign with ES256.",
                "Its sessions are not renewed for a login, so the server cannot prove a fresh authentication.",
            ],
            sources: ["https://kanidm.github.io/kanidm/stable/integrations/oauth2.html"]),
        Self(
            name: "rauthy", title: "Rauthy", group: .software, issuer: .own("https://iam.example.com/auth/v1/"),
            freshness: .proved,
            broker: [.plain, Line("id_token_algorithms", "[EdDSA]", "The algorithm of new clients in Rauthy.")],
            advice: ["The issuer ends with a slash. Make the client confidential."],
            sources: ["https://sebadob.github.io/rauthy/work/"]),
        Self(
            name: "janssen", title: "Janssen and Gluu", group: .software, issuer: .own("https://jans.example.com"),
            freshness: .proved, broker: [.plain, .rs256],
            advice: ["Choose client_secret_basic as the authentication method of the token endpoint."],
            sources: ["https://docs.jans.io/stable/janssen-server/auth-server/endpoints/configuration/"]),
        Self(
            name: "wso2", title: "WSO2 Identity Server", group: .software,
            issuer: .own("https://is.example.com:9443/oauth2/token"), broker: [.plain],
            advice: [
                "The issuer is the URL of the token endpoint, unless you changed the Identity Provider Entity ID.",
                "The server cannot prove a fresh authentication.",
            ],
            sources: ["https://is.docs.wso2.com/en/latest/guides/authentication/oidc/discover-oidc-configs/"]),
        Self(
            name: "canaille", title: "Canaille", group: .software, issuer: .own("https://auth.example.com"),
            freshness: .recent, broker: [.plain, .rs256],
            advice: ["With `prompt: login` its page for consent leads back to the login page forever."],
            sources: ["https://canaille.readthedocs.io/"]),
        Self(
            name: "glewlwyd", title: "Glewlwyd", group: .software, issuer: .own("https://auth.example.com/api/oidc"),
            broker: [.plain, .rs256],
            advice: [
                """
                It looks for `auth_time` in the session of whoever sends the token request, which is this server, and \
                sends 0: the server cannot prove a fresh authentication.
                """,
                "Allow the claims name, given_name and family_name for the scope profile.",
            ],
            sources: ["https://github.com/babelouest/glewlwyd/blob/master/docs/OIDC.md"]),
        Self(
            name: "idpyoidc", title: "idpy-oidc and SATOSA", group: .software, issuer: .own("https://op.example.com"),
            freshness: .proved, broker: [.post, .plain, .rs256],
            advice: ["It does not decode a secret in HTTP Basic, so the secret goes into the body."],
            sources: ["https://github.com/IdentityPython/idpy-oidc"]),
        Self(
            name: "gitlab-own", title: "GitLab, your own", group: .software, issuer: .own("https://gitlab.example.com"),
            broker: [.plain], advice: gitLabAdvice,
            sources: ["https://docs.gitlab.com/integration/openid_connect_provider/"]),
        Self(
            name: "pocket-id", title: "Pocket ID", group: .software, issuer: .own("https://id.example.com"),
            broker: [.plain],
            advice: ["Its ID tokens have no `auth_time`, so the server cannot prove a fresh authentication."],
            sources: ["https://pocket-id.org/docs/client-examples"]),
    ]

    static let gitLabAdvice = [
        "Give the application the scopes openid and profile.",
        "Its pages keep users logged in, so the server cannot prove a fresh authentication.",
    ]
}
