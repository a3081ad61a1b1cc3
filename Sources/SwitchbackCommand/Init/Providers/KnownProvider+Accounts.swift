// Accounts that anybody can make: nobody has checked who owns one.

extension KnownProvider {
    static let accounts: [Self] = [
        Self(
            name: "google", title: "Google", group: .accounts, issuer: .same("https://accounts.google.com"),
            broker: [
                .post, .plain,
                .hosts("oauth2.googleapis.com", "openidconnect.googleapis.com", "www.googleapis.com"),
            ],
            provider: [Line("prompt", "select_account")],
            advice: [
                """
                Google supports neither `prompt=login` nor `max_age`. A published app can switch `auth_time` on \
                (Advanced Settings, Session age claims), but it is the time of the Google session: the server cannot \
                prove a fresh authentication.
                """
            ],
            sources: [
                "https://developers.google.com/identity/openid-connect/reference",
                "https://dev.to/googleworkspace/google-oidc-and-prompt-login-4d5o",
            ]),
        Self(
            name: "apple", title: "Apple", group: .accounts, issuer: .same("https://appleid.apple.com"),
            scope: ["openid", "name", "email"],
            broker: [
                .post, .plain, Line("response_mode", "form_post", "Apple requires it with the scopes name and email."),
            ],
            advice: [
                """
                The client id is the Services ID. The client secret is a JWT, signed by your key (ES256), and ends after \
                six months at most: `check --online` says when. Replace its file before; no restart is needed.
                """,
                "Apple sends the name only once, and not in the ID token, so apps do not get it.",
                "Apple documents no `prompt`, so the server cannot prove a fresh authentication.",
                """
                For a day in June 2025 Apple's discovery named the issuer https://account.apple.com, and its tokens \
                the old one. Keep this issuer: if that happens again, logins fail until Apple corrects it.
                """,
            ],
            sources: [
                "https://developer.apple.com/documentation/accountorganizationaldatasharing/creating-a-client-secret",
                "https://developer.apple.com/documentation/signinwithapple/incorporating-sign-in-with-apple-into-other-platforms",
                "https://github.com/nextauthjs/next-auth/issues/13050",
            ]),
        Self(
            name: "gitlab", title: "GitLab.com", group: .accounts, issuer: .same("https://gitlab.com"),
            broker: [.plain], advice: gitLabAdvice,
            sources: [
                "https://docs.gitlab.com/integration/openid_connect_provider/",
                "https://github.com/api-evangelist/gitlab/blob/main/well-known/gitlab-openid-configuration.json",
            ]),
        Self(
            name: "twitch", title: "Twitch", group: .accounts, issuer: .same("https://id.twitch.tv/oauth2"),
            scope: ["openid"], broker: [.post, .plain],
            provider: [
                Line(
                    "claims_parameter", "'{\"userinfo\":{\"preferred_username\":null,\"picture\":null}}'",
                    "Twitch sends only what this names.")
            ],
            advice: ["The server cannot prove a fresh authentication."],
            sources: ["https://dev.twitch.tv/docs/authentication/getting-tokens-oidc/"]),
        Self(
            name: "yahoo", title: "Yahoo", group: .accounts, issuer: .same("https://api.login.yahoo.com"),
            freshness: .unproved, broker: [.plain],
            advice: ["The server cannot prove a fresh authentication."],
            sources: ["https://developer.yahoo.com/sign-in-with-yahoo/"]),
        Self(
            name: "telegram", title: "Telegram", group: .accounts, issuer: .same("https://oauth.telegram.org"),
            broker: [.plain], provider: [Line("userinfo", "false", "There is none.")],
            advice: ["The server cannot prove a fresh authentication: Telegram keeps people logged in."],
            sources: ["https://core.telegram.org/bots/telegram-login", "https://github.com/ory/kratos/issues/3840"]),
        Self(
            name: "linkedin", title: "LinkedIn", group: .accounts, issuer: .same("https://www.linkedin.com/oauth"),
            refusal: "LinkedIn puts no `nonce` into its ID tokens, so one of them could be of another login",
            sources: [
                "https://github.com/linkedin-developers/linkedin-api-js-client/issues/34",
                "https://github.com/nextauthjs/next-auth/issues/8831",
                "https://github.com/api-evangelist/linkedin/blob/main/well-known/linkedin-openid-configuration.json",
            ]),
        Self(
            name: "line", title: "LINE", group: .accounts, issuer: .same("https://access.line.me"),
            refusal: """
                LINE signs the ID tokens of web logins with the channel secret (HS256), with which everybody who \
                has the secret can sign; the server accepts public keys only
                """,
            sources: [
                "https://developers.line.biz/en/docs/line-login/verify-id-token/",
                "https://github.com/api-evangelist/line/blob/main/well-known/line-openid-configuration.json",
            ]),
        Self(
            name: "github", title: "GitHub", group: .accounts, issuer: .same("https://github.com/login/oauth"),
            refusal: "GitHub logs users in with OAuth alone: it sends no ID token",
            sources: ["https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps"]),
    ]
}
