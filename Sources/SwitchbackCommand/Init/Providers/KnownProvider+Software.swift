// Providers that an operator runs on machines of their own.

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
                    "Zitadel adds its project and the other applications to every audience: put their ids here."),
            ],
            advice: [
                "Replace the number by the Resource Id of your project, which Zitadel adds to each token's audience.",
                """
                It adds the client ids of all applications of the project too. List those of the others in \
                `trusted_audiences`, or give this app a project of its own.
                """,
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
                "Leave Encryption Key empty: with one, authentik encrypts all its tokens.",
            ],
            sources: [
                "https://docs.goauthentik.io/add-secure-apps/providers/oauth2/",
                "https://github.com/goauthentik/authentik/issues/3739",
            ]),
        Self(
            name: "authelia", title: "Authelia", group: .software, issuer: .own("https://auth.example.com"),
            freshness: .proved, broker: [.pushed],
            advice: [
                "Its ID tokens say little about the user; the server gets the rest from userinfo.",
                "If you write a claims policy, leave its `id_token_audience_mode` at `specification`.",
            ],
            sources: [
                "https://www.authelia.com/integration/openid-connect/openid-connect-1.0-claims/",
                "https://github.com/bacularis/bacularis-app/issues/117",
            ]),
        Self(
            name: "dex", title: "Dex", group: .software, issuer: .own("https://dex.example.com/dex"),
            broker: [.plain],
            advice: [
                "Without sessions, Dex sends no `auth_time`: the server cannot prove a fresh authentication.",
                """
                With `DEX_SESSIONS_ENABLED=true` and `sessions` in its configuration, Dex heeds `prompt` and \
                `max_age`, and `auth_time` is the last login: then you may set `prompt: login` here.
                """,
                """
                Users who refuse stay on an error page of Dex (Approval rejected), so the login stays open until it \
                expires.
                """,
            ],
            sources: ["https://github.com/dexidp/dex/issues/1052", "https://dexidp.io/docs/openid-connect/"]),
        Self(
            name: "adfs", title: "AD FS", group: .software, issuer: .own("https://adfs.example.com/adfs"),
            freshness: .proved, scope: ["openid", "allatclaims"],
            broker: [
                .post, .plain,
                Line("response_mode", "form_post", "Without it, AD FS puts no claims of yours into ID tokens."),
            ],
            provider: [Line("userinfo", "false", "Its userinfo has nothing but sub.")],
            advice: [
                """
                Give the application group a Web API whose identifier is the client id, with the claims (name, \
                given_name, family_name) as Issuance Transform Rules.
                """,
                """
                Permit the client the scopes of that Web API: `Grant-AdfsApplicationPermission -ClientRoleIdentifier \
                ID -ServerRoleIdentifier ID -ScopeNames allatclaims, openid`, with the client id for ID.
                """,
                "PKCE needs AD FS 2019 or later: its discovery does not say so.",
            ],
            sources: [
                "https://learn.microsoft.com/en-us/windows-server/identity/ad-fs/overview/ad-fs-openid-connect-oauth-flows-scenarios",
                "https://learn.microsoft.com/en-us/windows-server/identity/ad-fs/development/custom-id-tokens-in-ad-fs",
                "https://github.com/elastic/elasticsearch/issues/43709",
            ]),
        Self(
            name: "duende", title: "Duende IdentityServer", group: .software, issuer: .own("https://id.example.com"),
            freshness: .proved, broker: [.plain],
            advice: [
                """
                All editions but Starter have pushed requests (Business, Enterprise, Standard and Advanced): with \
                them, `request_style: par` is better.
                """
            ],
            sources: ["https://docs.duendesoftware.com/identityserver/reference/v7/endpoints/discovery/"]),
        Self(
            name: "casdoor", title: "Casdoor", group: .software, issuer: .own("https://door.example.com"),
            broker: [.post, .plain, .rs256],
            advice: [
                "Its ID tokens have no `auth_time`, so the server cannot prove a fresh authentication.",
                """
                Newer versions promise `iss` in their responses (`authorization_response_iss_parameter_supported` in \
                discovery), but their pages send none. The server then refuses every response, unless you set \
                `issuer_in_response: optional`.
                """,
            ],
            sources: [
                "https://casdoor.org/docs/how-to-connect/oidc-client",
                "https://github.com/casdoor/casdoor/blob/master/object/wellknown_oidc_discovery.go",
            ]),
        Self(
            name: "kanidm", title: "Kanidm", group: .software,
            issuer: .own("https://idm.example.com/oauth2/openid/shop"), freshness: .proved, broker: [.plain],
            advice: [
                "shop is the name of the client in Kanidm. Each client has its own keys, which sign with ES256.",
                """
                Use Kanidm 1.11 or later. Older versions do not renew their sessions for a login: there, leave \
                `prompt` out, and the server cannot prove a fresh authentication.
                """,
                "Users cannot refuse on its page for consent: without consent, the login stays open until it expires.",
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
                "In Asgardeo, its cloud service, the issuer is https://api.asgardeo.io/t/ORG/oauth2/token.",
                "If the application has more audiences, list them in `trusted_audiences`.",
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
            freshness: .proved, broker: [.pushed],
            advice: [
                """
                Use Pocket ID 2.10 or later. Older versions have neither `auth_time` nor pushed requests: there, leave \
                `prompt` out and set `request_style: plain`, and the server cannot prove a fresh authentication.
                """,
                "Its Cancel button does not lead back: the login stays open until it expires.",
            ],
            sources: [
                "https://pocket-id.org/docs/client-examples",
                "https://github.com/pocket-id/pocket-id/blob/main/backend/internal/controller/well_known_controller.go",
            ]),
    ]

    static let gitLabAdvice = [
        "Give the application the scopes openid and profile.",
        """
        GitLab heeds `prompt=login`, but its `auth_time` is the user's latest sign-in in any browser, so a login \
        elsewhere would pass for this one: the server cannot prove a fresh authentication.
        """,
    ]
}
