// Identity services that a company rents for its users.

extension KnownProvider {
    static let services: [Self] =
        Self.microsoft + [
            Self(
                name: "auth0", title: "Auth0", group: .services, issuer: .own("https://example.eu.auth0.com/"),
                freshness: .proved, broker: [.post, .plain, .rs256],
                advice: [
                    "The issuer ends with a slash.",
                    "Register a Regular Web Application, and leave its Authentication Method at Client Secret (Post).",
                    "Its ID tokens have `auth_time` only because the server requests it.",
                ],
                sources: [
                    "https://github.com/auth0/auth0-spa-js/issues/719",
                    "https://auth0.com/docs/authenticate/login/max-age-reauthentication",
                ]),
            Self(
                name: "okta", title: "Okta", group: .services, issuer: .own("https://example.okta.com"),
                freshness: .proved, broker: [.plain],
                advice: [
                    "A custom authorization server has the issuer https://example.okta.com/oauth2/default, without a slash."
                ],
                sources: ["https://developer.okta.com/docs/reference/api/oidc/"]),
            Self(
                name: "onelogin", title: "OneLogin", group: .services,
                issuer: .own("https://example.onelogin.com/oidc/2"),
                freshness: .proved, broker: [.post, .plain],
                advice: ["On the SSO tab of the application, set the Token Endpoint to POST."],
                sources: [
                    "https://developers.onelogin.com/openid-connect/api/authorization-code",
                    "https://jetbrains.com/help/ide-services/onelogin.html",
                ]),
            Self(
                name: "cognito", title: "Amazon Cognito", group: .services,
                issuer: .own("https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_Example"),
                broker: [.plain, .hosts("example.auth.eu-west-1.amazoncognito.com")],
                advice: [
                    "The host is the domain of your user pool: replace it by yours.",
                    """
                    The server cannot prove a fresh authentication: the classic hosted pages keep users logged in for \
                    an hour. Managed login is said to heed `prompt=login`.
                    """,
                ],
                sources: ["https://docs.aws.amazon.com/cognito/latest/developerguide/federation-endpoints.html"]),
            Self(
                name: "pingone", title: "PingOne", group: .services,
                issuer: .own("https://auth.pingone.eu/00000000-0000-0000-0000-000000000000/as"),
                freshness: .proved, broker: [.pushed],
                advice: ["Use the Client ID as it is, and Client Secret Basic as the authentication method."],
                sources: ["https://apidocs.pingidentity.com/pingone/platform/v1/api/#openid-connectoauth-2"]),
            Self(
                name: "ping-aic", title: "PingOne Advanced Identity Cloud (ForgeRock)", group: .services,
                issuer: .own("https://example.forgeblocks.com/am/oauth2/realms/root/realms/alpha"),
                freshness: .proved, broker: [.pushed, .rs256],
                advice: [
                    "Configure the issuer of the discovery document byte for byte: it may have the port 443 in it.",
                    "The realm's page OAuth2 Provider must have the claims `auth_time` and `acr` as they are by default.",
                ],
                sources: [
                    "https://docs.pingidentity.com/pingoneaic/am-oidc1/rest-api-oidc-discovery-configuration.html"
                ]),
            Self(
                name: "ory", title: "Ory Network and Ory Hydra", group: .services,
                issuer: .own("https://example.projects.oryapis.com"), freshness: .proved, broker: [.plain],
                advice: [
                    "A Hydra of your own may have a final slash in its issuer.",
                    "The client needs `token_endpoint_auth_method` `client_secret_basic` and the scopes openid and profile.",
                ],
                sources: ["https://www.ory.sh/docs/oauth2-oidc/wellknown-endpoint-discovery"]),
            Self(
                name: "logto", title: "Logto", group: .services, issuer: .own("https://example.logto.app/oidc"),
                freshness: .proved,
                broker: [
                    .plain,
                    Line("id_token_algorithms", "[ES384]", "Logto signs with ES384 unless you change its keys."),
                ],
                advice: ["Register a Traditional Web application."],
                sources: [
                    "https://docs.logto.io/integrate-logto/third-party-applications",
                    "https://github.com/logto-io/logto/issues/9096",
                ]),
            Self(
                name: "salesforce", title: "Salesforce", group: .services,
                issuer: .own("https://example.my.salesforce.com"),
                scope: ["openid", "profile"], broker: [.plain],
                advice: [
                    "The issuer is your My Domain, or https://login.salesforce.com.",
                    "Its ID tokens have no `auth_time`, so the server cannot prove a fresh authentication.",
                    "In the External Client App, require PKCE: discovery does not say that it is checked.",
                ],
                sources: [
                    "https://help.salesforce.com/s/articleView?id=sf.remoteaccess_using_openid_discovery_endpoint.htm"
                ]),
            Self(
                name: "slack", title: "Slack", group: .services, issuer: .same("https://slack.com"),
                broker: [
                    .post, .plain,
                    Line(
                        "response_mode", "form_post",
                        "The only mode that its discovery names. It answers in the query all the same."),
                ],
                advice: ["Slack cannot prove a fresh authentication: people stay logged in to their workspace."],
                sources: ["https://docs.slack.dev/authentication/sign-in-with-slack/"]),
            Self(
                name: "netsuite", title: "Oracle NetSuite", group: .services,
                issuer: .same("https://system.netsuite.com"),
                scope: ["openid"],
                broker: [
                    .plain, .hosts("0000000.suitetalk.api.netsuite.com"),
                    Line("id_token_algorithms", "[PS256]", "NetSuite signs with RSASSA-PSS."),
                ],
                provider: [Line("userinfo", "false")],
                advice: ["Replace the host by the one of your account."],
                sources: ["https://github.com/ramosbugs/openidconnect-rs/issues/71"]),
            Self(
                name: "fusionauth", title: "FusionAuth", group: .services,
                issuer: .own("https://example.fusionauth.io"),
                freshness: .proved,
                broker: [.plain, .rs256],
                advice: [
                    "Use FusionAuth 1.60 or later: older versions do not heed `prompt=login`.",
                    """
                    From 1.69 on, `iss` is in responses with a code and not in errors. If your discovery document \
                    promises it, set `issuer_in_response: success_only`, or a cancelled login is refused.
                    """,
                    "Set the tenant's Issuer (Tenants, General) to this URL: it is acme.com in a new tenant, which is no URL.",
                    "Give the tenant or the application an RSA key for ID tokens: the default is a shared secret (HS256).",
                ],
                sources: [
                    "https://fusionauth.io/docs/lifecycle/authenticate-users/oauth/endpoints",
                    "https://fusionauth.io/docs/lifecycle/authenticate-users/oauth/prompt",
                    "https://fusionauth.io/docs/lifecycle/authenticate-users/oauth/issuer-validation",
                ]),
            Self(
                name: "firebase", title: "Firebase Authentication", group: .services,
                issuer: .own("https://securetoken.google.com/example"),
                refusal: """
                    Firebase Authentication has no authorization endpoint, and its ID tokens are made in the app. Use \
                    the provider behind it, as in --provider google
                    """,
                sources: ["https://firebase.google.com/docs/auth/admin/verify-id-tokens"]),
        ]

    // MARK: - Microsoft

    private static let tenant = "00000000-0000-0000-0000-000000000000"

    private static let entraAdvice = [
        "Put your tenant's id into the issuer.",
        """
        Without more, Entra sends no `auth_time`. For apps with `release: immediate` and for sessions, add the optional \
        claim `auth_time` to the ID token (Token configuration), and then `prompt: login` here.
        """,
    ]

    private static let entraSources = [
        "https://learn.microsoft.com/en-us/entra/identity-platform/v2-protocols-oidc",
        "https://learn.microsoft.com/en-us/entra/identity-platform/optional-claims-reference",
        "https://github.com/MicrosoftDocs/azure-docs/issues/15502",
    ]

    private static let microsoft: [Self] = [
        Self(
            name: "entra", title: "Microsoft Entra ID, one tenant", group: .services,
            issuer: .own("https://login.microsoftonline.com/\(tenant)/v2.0"),
            broker: [.post, .plain, .hosts("graph.microsoft.com")], advice: entraAdvice, sources: entraSources),
        Self(
            name: "entra-v1", title: "Microsoft Entra ID, tokens of version 1.0", group: .services,
            issuer: .own("https://sts.windows.net/\(tenant)/"),
            broker: [.post, .plain, .hosts("login.microsoftonline.com")],
            advice: ["The issuer ends with a slash. Prefer --provider entra for a new app."] + entraAdvice,
            sources: ["https://learn.microsoft.com/en-us/entra/identity-platform/access-tokens"] + entraSources),
        Self(
            name: "entra-external-id", title: "Microsoft Entra External ID", group: .services,
            issuer: .own("https://\(tenant).ciamlogin.com/\(tenant)/v2.0"),
            broker: [.post, .plain, .hosts("example.ciamlogin.com", "graph.microsoft.com")],
            advice: ["The first host is the subdomain of your tenant: replace it by yours."] + entraAdvice,
            sources: [
                "https://learn.microsoft.com/en-us/entra/external-id/customers/how-to-identity-provider-openid-connect"
            ]),
        Self(
            name: "azure-ad-b2c", title: "Azure AD B2C", group: .services,
            issuer: .own("https://example.b2clogin.com/tfp/\(tenant)/b2c_1_signin/v2.0/"),
            scope: ["openid"], broker: [.post, .plain],
            provider: [Line("userinfo", "false", "A user flow has none.")],
            advice: [
                """
                In the user flow (Properties, Token compatibility settings), choose the Issuer (iss) claim with `/tfp/`: \
                with the other one, discovery is not at the issuer. The issuer ends with a slash.
                """,
                "A cancelled login returns `access_denied` with AADB2C90091, which the server reads as cancelled.",
                """
                The server cannot prove a fresh authentication: B2C sets `auth_time` anew for every login, also for \
                one by single sign-on, in which the user types nothing.
                """,
            ],
            sources: [
                "https://learn.microsoft.com/en-us/azure/active-directory-b2c/configure-tokens",
                "https://learn.microsoft.com/en-us/azure/active-directory-b2c/tokens-overview",
            ]),
        Self(
            name: "microsoft-personal", title: "Personal Microsoft accounts", group: .services,
            issuer: .same("https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0"),
            broker: [.post, .plain, .hosts("graph.microsoft.com")],
            advice: [
                "In the issuer is the tenant of all personal accounts, which their ID tokens name too.",
                "The server cannot prove a fresh authentication.",
            ],
            sources: entraSources),
        Self(
            name: "entra-common", title: "Microsoft Entra ID, any tenant (common)", group: .services,
            issuer: .same("https://login.microsoftonline.com/common/v2.0"),
            refusal: """
                its discovery names the issuer `{tenantid}`: anybody's tenant could log in, and write any name and \
                e-mail address. Use --provider entra once for each tenant that you trust
                """,
            sources: [
                "https://github.com/AzureAD/azure-activedirectory-identitymodel-extensions-for-dotnet/issues/1731"
            ]),
        Self(
            name: "entra-organizations", title: "Microsoft Entra ID, any organization (organizations)",
            group: .services, issuer: .same("https://login.microsoftonline.com/organizations/v2.0"),
            refusal: """
                its discovery names the issuer `{tenantid}`: anybody's tenant could log in, and write any name and \
                e-mail address. Use --provider entra once for each tenant that you trust
                """,
            sources: [
                "https://github.com/AzureAD/azure-activedirectory-identitymodel-extensions-for-dotnet/issues/1731"
            ]),
    ]
}
