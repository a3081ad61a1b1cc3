/// The settings of each provider: of each login button.
import Brokers
import Logins

extension SettingTable {
    static let providers: [Setting] = [
        Setting(
            "providers.*.broker", .text, .required,
            "The name of the broker that carries it."),
        Setting(
            "providers.*.names", .names, .required,
            "What the button says: a text, or one per language."),
        Setting(
            "providers.*.countries", .list(.country), .value([]),
            "The countries whose people have it, as in [DK, GL]."),
        Setting(
            "providers.*.scope", .list(.word), .value(["openid", "profile"]),
            "The scopes that are asked for; openid is always one of them."),
        Setting(
            "providers.*.acr_values", .list(.word), .value([]),
            "The levels of assurance that are asked for; the ID token must then name one of them."),
        Setting(
            "providers.*.prompt", .text, .optional,
            "What the broker must ask the person; login demands a fresh authentication, and auth_time is checked."),
        Setting(
            "providers.*.max_age", .integer(0...86_400, .seconds), .optional,
            "Seconds that the person's authentication may be old; auth_time is checked."),
        Setting(
            "providers.*.claims_parameter", .text, .optional,
            "The claims parameter as JSON, as in {\"id_token\": {\"acr\": {\"essential\": true}}} (OpenID Connect Core 5.5)."
        ),
        Setting(
            "providers.*.code_lifetime", .integer(0...600, .seconds), .value(60),
            "Seconds that a code can be redeemed; after a crash an exchange that was cut off is tried again within them."
        ),
        Setting(
            "providers.*.userinfo", .boolean, .value(true),
            "Whether the userinfo endpoint is asked too."),
        Setting(
            "providers.*.authorize", .choice(["go", "direct"]), .value("go"),
            "What the app opens: go is a link to this server that leads to the broker, direct is the broker's own URL."),
        Setting(
            "providers.*.flow", .choice(Provider.Flow.choices.map(\.rawValue)), .value("browser"),
            "How the person gets to the e-ID: browser; launch_links and headless (kind idura, Swedish BankID) open its app without one; ciba (kind signaturgruppen) has a browser, but asks the broker for the answer."
        ),
        Setting(
            "providers.*.release", .choice(Release.words.map(\.key)), .optional,
            "What apps must show to get a result of this button, where it is another rule than theirs: return_link, code or immediate. One that asks for less than an app does is not this app's, unless apps.*.providers names it. launch_links and headless need immediate, because nothing can be shown there."
        ),
        Setting(
            "providers.*.claims", .list(.word), .value([]),
            "The names of the broker's claims that the app gets as they are."),
        Setting(
            "providers.*.eid", .word, .optional,
            "What apps are told that the e-ID is called; without it the provider's name."),
        Setting(
            "providers.*.eid_app.android_packages", .list(.androidPackage), .optional,
            "The packages of the e-ID's app on Android, by which apps see whether it is there; without it what is known of that eid: mitid, se_bankid, vipps, digid or freja."
        ),
        Setting(
            "providers.*.eid_app.ios_probe_links", .list(.probeLink), .optional,
            "The links that an iPhone can open when the e-ID's app is there, by which apps see whether it is; without it what is known of that eid."
        ),
        Setting(
            "providers.*.eid_app.ios_store_url", .link, .optional,
            "Where the e-ID's app is in the App Store, as in https://apps.apple.com/app/id123456789; apps get it in store_url."
        ),
        Setting(
            "providers.*.eid_app.android_store_url", .link, .optional,
            "Where the e-ID's app is to be had on Android; without it the page of the first package in the Play Store."
        ),
        Setting(
            "providers.*.eid_app.fallback_url", .link, .optional,
            "A page that helps people who have not got the e-ID's app; apps get it in fallback. Without it the store's page."
        ),
        Setting(
            "providers.*.logo", .picture, .optional,
            "A picture for the button: an https URL, or the name of a file in the assets of public_dir. No e-ID's logo comes with this program: ask the e-ID for it and for how it may be used."
        ),
        Setting(
            "providers.*.surfaces", .list(.choice(Visit.Surface.allCases.map(\.rawValue))),
            .value(.list(Visit.Surface.allCases.map(\.rawValue))),
            "What apps may open its links in, the best first: auth_session, tab, system."),
        Setting(
            "providers.*.ephemeral", .boolean, .value(false),
            "Whether an auth session should share no cookies with the browser: no question about it on iOS, and nothing that the e-ID remembers."
        ),
        Setting(
            "providers.*.assurance", .choice(Assurance.allCases.map(\.rawValue)), .value("none"),
            "The level of assurance (none, low, substantial or high) where the acr does not end with one."),
        Setting(
            "providers.*.minimum_assurance", .choice(Assurance.allCases.map(\.rawValue)), .value("none"),
            "The level of assurance (none, low, substantial or high) below which a login fails as assurance_too_low."),
        Setting(
            "providers.*.minimum_aal", .choice(Assurance.allCases.map(\.rawValue)), .value("none"),
            "For kind signaturgruppen: the level of the authentication (aal) below which a login fails as assurance_too_low."
        ),
        Setting(
            "providers.*.minimum_ial", .choice(Assurance.allCases.map(\.rawValue)), .value("none"),
            "For kind signaturgruppen: the level of the identification (ial) below which a login fails as assurance_too_low."
        ),
        Setting(
            "providers.*.amr_values", .list(.word), .value([]),
            "The amr values of which one must have been used, as in [code_app]; empty takes any."),
        Setting(
            "providers.*.idp_values", .list(.word), .value([]),
            "For kind signaturgruppen: the e-IDs that may be used, as in [mitid]; the ID token must then name one of them."
        ),
        Setting(
            "providers.*.reference_text", .text, .optional,
            "For kind signaturgruppen: what the MitID app shows beside the name of the service, 130 characters at most."
        ),
        Setting(
            "providers.*.message", .text, .optional,
            "For kind idura: what the e-ID's app shows; MitID takes 130 characters."
        ),
        Setting(
            "providers.*.action", .choice(["login", "confirm", "accept", "approve"]), .optional,
            "For kind idura: which word the e-ID uses for what the person does."
        ),
        Setting(
            "providers.*.national_id_claim", .word, .optional,
            "The claim with the person's national id; without it the app gets none."),
        Setting(
            "providers.*.national_id_type", .word, .optional,
            "What apps are told that the national id is, as in dk:cpr; needed with national_id_claim."),
        Setting(
            "providers.*.person.namespace", .text, .optional,
            "The namespace, one of namespaces, in which accounts are: the sub of assertions is then made from it and person.claim, and is the same at every broker of the namespace; without it from the broker's issuer and sub."
        ),
        Setting(
            "providers.*.person.claim", .word, .optional,
            "The broker's claim that names the person in person.namespace, as in mitid.uuid; a login without it fails."),
        Setting(
            "providers.*.parameters", .list(.word), .value([]),
            "The names of authorize parameters that an app may set. Those that say where a login leads are refused; those that name a person are only for the app's backend, by its api_key, and need a pushed request."
        ),
    ]
}

/// The settings of each namespace: of values that name a person whatever the broker.
extension SettingTable {
    static let namespaces: [Setting] = [
        Setting(
            "namespaces.*.brokers", .list(.text), .required,
            "The brokers that may say who somebody is in this namespace: each of them can log in to every account of it. A provider whose broker is not listed is refused."
        )
    ]
}
