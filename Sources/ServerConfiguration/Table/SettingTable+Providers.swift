// The settings of each provider.

import Brokers
import Logins

extension SettingTable {
    static let providers: [Setting<SettingValue>] = [
        Setting(
            "providers.*.broker", .text, .required,
            "The name of the provider's broker."),
        Setting(
            "providers.*.names", .names, .required,
            "The e-ID's name as users know it, for the login button and the pages: a text, or one per language. Only the name, as in MitID: a page says \"MitID has confirmed who you are\"."
        ),
        Setting(
            "providers.*.enabled", .boolean, .value(true),
            "Whether logins may begin with the provider; a reload changes it. With false, a create gets provider_off, and a link that nobody has opened yet shows a page. Logins that are at the broker go on, and sessions stay."
        ),
        Setting(
            "providers.*.notices", .names, .optional,
            "What users are told while enabled is false: a text in English, or one per language, each of at most 200 characters. Without it they are told that they cannot log in with the e-ID at the moment."
        ),
        Setting(
            "providers.*.countries", .list(.country), .value([]),
            "The countries whose residents have the e-ID, as in [DK, GL]."),
        Setting(
            "providers.*.scope", .list(.word), .value(["openid", "profile"]),
            "The scopes to request. They must include openid, except for kind digid."),
        Setting(
            "providers.*.acr_values", .list(.word), .value([]),
            "The levels of assurance to request. The ID token must then name one of them."),
        Setting(
            "providers.*.prompt", .text, .optional,
            "What the broker must ask the user. login requires a fresh authentication: the server requests auth_time from a broker of kind oidc, and refuses an ID token without it. Leave prompt and max_age out for a provider that cannot send it."
        ),
        Setting(
            "providers.*.max_age", .integer(0...86_400, .seconds), .optional,
            "The most seconds since the user's authentication. The server checks auth_time, as for prompt login. With 0 some providers ask the user for ever; prompt login demands the same."
        ),
        Setting(
            "providers.*.claims_parameter", .text, .optional,
            "The claims parameter as JSON, as in {\"id_token\": {\"acr\": {\"essential\": true}}} (OpenID Connect Core 5.5)."
        ),
        Setting(
            "providers.*.code_lifetime", .integer(0...600, .seconds), .value(60),
            "Seconds for which a code can be redeemed. A code waits for its turn at the broker as long as this allows, and after a crash the server repeats an interrupted code exchange within this time."
        ),
        Setting(
            "providers.*.userinfo", .boolean, .value(true),
            "Whether the server also calls the userinfo endpoint."),
        Setting(
            "providers.*.authorize", .choice(["go", "direct"]), .value("go"),
            "What the app opens: go is a link to this server, which redirects to the broker; direct is the broker's own URL."
        ),
        Setting(
            "providers.*.flow", .choice(Provider.Flow.choices.map(\.rawValue)), .value("browser"),
            "How the user gets to the e-ID: browser; launch_links and headless (kind idura, Swedish BankID), which open its app without a browser; or ciba (kind signaturgruppen), which uses a browser, but the server asks the broker for the result."
        ),
        Setting(
            "providers.*.release", .choice(ReleasePolicy.words.map(\.key)), .optional,
            "What apps must show to get a result of this provider, if it differs from their own release: return_link, code or immediate. A provider that requires less than an app belongs to the app only if apps.*.providers names it. launch_links and headless need immediate, because they give the app nothing to show."
        ),
        Setting(
            "providers.*.session", .sessionLevel, .value("access"),
            "The most that a login of this provider may become: none, access, refresh or unlock. The last two need the permission of the e-ID's scheme, and prompt login or max_age; DigiD allows access at most, and so does Swedish BankID without session_permission."
        ),
        Setting(
            "providers.*.session_permission", .text, .optional,
            "For Swedish BankID: the agreement that permits a login to become a session, as in its number or date. The scheme's rules forbid that its login becomes another way to log in, so without it a login gives an access token for minutes at most. Nothing reads the text; it is for whoever asks."
        ),
        Setting(
            "providers.*.session_idle", .integer(10...86_400, .seconds), .optional,
            "Seconds without use after which a session of this provider needs the user's PIN, or without a PIN a new login, if sessions.idle is not shorter. Without it there is no limit of the provider's own, except for Swedish BankID, which has 7200."
        ),
        Setting(
            "providers.*.claims", .list(.word), .value([]),
            "The names of the broker's claims that the app gets unchanged."),
        Setting(
            "providers.*.eid", .word, .optional,
            "The name of the e-ID for apps. Without it the e-ID has the provider's name."),
        Setting(
            "providers.*.eid_app.android_packages", .list(.androidPackage), .optional,
            "The packages of the e-ID's app on Android, by which apps check whether it is installed. Without it the server uses those it knows for the eid: mitid, se_bankid, vipps, digid or freja."
        ),
        Setting(
            "providers.*.eid_app.ios_probe_links", .list(.probeLink), .optional,
            "The links that an iPhone can open if the e-ID's app is installed, by which apps check for it. Without it the server uses those it knows for the eid."
        ),
        Setting(
            "providers.*.eid_app.ios_store_url", .link, .optional,
            "The page of the e-ID's app in the App Store, as in https://apps.apple.com/app/id123456789. Apps get it as store_url."
        ),
        Setting(
            "providers.*.eid_app.android_store_url", .link, .optional,
            "The store page of the e-ID's app on Android. Without it this is the page of the first package in the Play Store."
        ),
        Setting(
            "providers.*.eid_app.fallback_url", .link, .optional,
            "A page that helps users who do not have the e-ID's app. Apps get it as fallback; without it they get the store page."
        ),
        Setting(
            "providers.*.logo", .picture, .optional,
            "A picture for the button: an https URL, or the name of a file in the assets of public_dir. This program contains no logos of e-IDs: ask the e-ID for its logo and for the rules of its use."
        ),
        Setting(
            "providers.*.surfaces", .list(.choice(AuthorizationContext.Surface.allCases.map(\.rawValue))),
            .value(.list(AuthorizationContext.Surface.allCases.map(\.rawValue))),
            "What apps may open the provider's links in, the best first: auth_session, tab, system."),
        Setting(
            "providers.*.ephemeral", .boolean, .value(false),
            "Whether an auth session should share no cookies with the browser. iOS then does not ask the user first, and the e-ID remembers nothing."
        ),
        Setting(
            "providers.*.assurance", .choice(Assurance.allCases.map(\.rawValue)), .value("none"),
            "The level of assurance (none, low, substantial or high) if the acr does not end with one."),
        Setting(
            "providers.*.minimum_assurance", .choice(Assurance.allCases.map(\.rawValue)), .value("none"),
            "The lowest accepted level of assurance: none, low, substantial or high. A login below it fails as assurance_too_low."
        ),
        Setting(
            "providers.*.amr_values", .list(.word), .value([]),
            "The amr values of which the user must have used one, as in [code_app]. If it is empty, any is accepted."),
        Setting(
            "providers.*.national_id_claim", .word, .optional,
            "The claim with the user's national id. Without it the app gets no national id."),
        Setting(
            "providers.*.national_id_type", .word, .optional,
            "The type of the national id that apps get, as in dk:cpr. It is required with national_id_claim."),
        Setting(
            "providers.*.person.namespace", .text, .optional,
            "The namespace of the accounts, one of namespaces. The sub of assertions is then derived from it and person.claim, and is the same at every broker of the namespace; without it the sub is derived from the broker's issuer and sub."
        ),
        Setting(
            "providers.*.person.claim", .word, .optional,
            "The broker's claim that identifies the user in person.namespace, as in mitid.uuid. A login without it fails."
        ),
        Setting(
            "providers.*.parameters", .list(.word), .value([]),
            "The names of authorization parameters that an app may set. Parameters that decide where a login leads are refused; those that identify a user are only for the app's backend with its api_key, and need a pushed request."
        ),
    ]
}

/// The settings of each namespace. Its values identify a user whatever the broker.
extension SettingTable {
    static let namespaces: [Setting<SettingValue>] = [
        Setting(
            "namespaces.*.keyed", .boolean, .value(false),
            "Whether the values of the namespace are national numbers. Accounts are then made with keys.person, because a bare hash of such a number is undone by trying all of them."
        ),
        Setting(
            "namespaces.*.brokers", .list(.text), .required,
            "The brokers that may identify users in this namespace. Each of them can log in to every account of the namespace, so a provider of any other broker is refused."
        ),
    ]
}
