import Brokers
import Logins
import Sessions

/// The settings that providers of every kind of broker have. Most of them fill a `Provider`, which has the defaults.
package final class CommonProviderSettings: SettingGroup {
    package let brokerID = Setting<String>(
        "providers.*.broker", required: .text,
        "The name of the provider's broker.")
    package let names = Setting<[String: String]>(
        "providers.*.names", required: .names,
        "The e-ID's name as users know it, for the login button and the pages: a text, or one per language. Only the name, as in MitID: a page says \"MitID has confirmed who you are\"."
    )
    package let isEnabled = Setting<Bool>(
        "providers.*.enabled", .boolean, fills: \Provider.isEnabled,
        "Whether logins may begin with the provider; a reload changes it. With false, a create gets provider_off, and a link that nobody has opened yet shows a page. Logins that are at the broker go on, and sessions stay."
    )
    package let notices = Setting<[String: String]>(
        "providers.*.notices", optional: .names, otherwise: [:],
        "What users are told while enabled is false: a text in English, or one per language, each of at most 200 characters. Without it they are told that they cannot log in with the e-ID at the moment."
    )
    package let countries = Setting<[String]>(
        "providers.*.countries", .list(.country), fills: \Provider.countries,
        "The countries whose residents have the e-ID, as in [DK, GL].")
    package let scope = Setting<[String]>(
        "providers.*.scope", .list(.word), fills: \Provider.scope,
        "The scopes to request. They must include openid, except for kind digid.")
    package let acrValues = Setting<[String]>(
        "providers.*.acr_values", .list(.word), fills: \Provider.acrValues,
        "The levels of assurance to request. The ID token must then name one of them.")
    package let prompt = Setting<String?>(
        "providers.*.prompt", optional: .text, fills: \Provider.prompt,
        "What the broker must ask the user. login requires a fresh authentication: the server requests auth_time from a broker of kind oidc, and refuses an ID token without it. Leave prompt and max_age out for a provider that cannot send it."
    )
    package let maxAge = Setting<Int?>(
        "providers.*.max_age", optional: .integer(0...86_400, .seconds), fills: \Provider.maxAge,
        "The most seconds since the user's authentication. The server checks auth_time, as for prompt login. With 0 some providers ask the user for ever; prompt login demands the same."
    )
    package let claimsParameter = Setting<String?>(
        "providers.*.claims_parameter", optional: .text,
        "The claims parameter as JSON, as in {\"id_token\": {\"acr\": {\"essential\": true}}} (OpenID Connect Core 5.5)."
    )
    package let codeLifetime = Setting<Duration>(
        "providers.*.code_lifetime", .seconds(0...600), fills: \Provider.codeLifetime,
        "Seconds for which a code can be redeemed. A code waits for its turn at the broker as long as this allows, and after a crash the server repeats an interrupted code exchange within this time."
    )
    package let usesUserInfo = Setting<Bool>(
        "providers.*.userinfo", .boolean, fills: \Provider.usesUserInfo,
        "Whether the server also calls the userinfo endpoint.")
    package let authorize = Setting<Provider.Authorize>(
        "providers.*.authorize", .choice, fills: \Provider.authorize,
        "What the app opens: go is a link to this server, which redirects to the broker; direct is the broker's own URL."
    )
    package let flow = Setting<Provider.Flow>(
        "providers.*.flow", .choice(of: Provider.Flow.choices), fills: \Provider.flow,
        "How the user gets to the e-ID: browser; launch_links and headless (kind idura, Swedish BankID), which open its app without a browser; or ciba (kind signaturgruppen), which uses a browser, but the server asks the broker for the result."
    )
    package let release = Setting<ReleasePolicy?>(
        "providers.*.release", optional: .release,
        "What apps must show to get a result of this provider, if it differs from their own release: return_link, code or immediate. A provider that requires less than an app belongs to the app only if apps.*.providers names it. launch_links and headless need immediate, because they give the app nothing to show."
    )
    package let session = Setting<SessionLevel>(
        "providers.*.session", .choice, default: .access,
        "The most that a login of this provider may become: none, access, refresh or unlock. The last two need the permission of the e-ID's scheme, and prompt login or max_age; DigiD allows access at most, and so does Swedish BankID without session_permission."
    )
    package let sessionPermission = Setting<String?>(
        "providers.*.session_permission", optional: .text,
        "For Swedish BankID: the agreement that permits a login to become a session, as in its number or date. The scheme's rules forbid that its login becomes another way to log in, so without it a login gives an access token for minutes at most. Nothing reads the text; it is for whoever asks."
    )
    package let sessionIdle = Setting<Duration?>(
        "providers.*.session_idle", optional: .seconds(10...86_400),
        "Seconds without use after which a session of this provider needs the user's PIN, or without a PIN a new login, if sessions.idle is not shorter. Without it there is no limit of the provider's own, except for Swedish BankID, which has 7200."
    )
    package let claims = Setting<[String]>(
        "providers.*.claims", .list(.word), fills: \Provider.claims,
        "The names of the broker's claims that the app gets unchanged.")
    package let eid = Setting<String?>(
        "providers.*.eid", optional: .plain(.word), fills: \Provider.eid,
        "The name of the e-ID for apps. Without it the e-ID has the provider's name.")
    package let androidPackages = Setting<[String]?>(
        "providers.*.eid_app.android_packages", optional: .list(.androidPackage),
        "The packages of the e-ID's app on Android, by which apps check whether it is installed. Without it the server uses those it knows for the eid: mitid, se_bankid, vipps, digid or freja."
    )
    package let iosProbeLinks = Setting<[String]?>(
        "providers.*.eid_app.ios_probe_links", optional: .list(.probeLink),
        "The links that an iPhone can open if the e-ID's app is installed, by which apps check for it. Without it the server uses those it knows for the eid."
    )
    package let iosStoreURL = Setting<String?>(
        "providers.*.eid_app.ios_store_url", optional: .plain(.link),
        "The page of the e-ID's app in the App Store, as in https://apps.apple.com/app/id123456789. Apps get it as store_url."
    )
    package let androidStoreURL = Setting<String?>(
        "providers.*.eid_app.android_store_url", optional: .plain(.link),
        "The store page of the e-ID's app on Android. Without it this is the page of the first package in the Play Store."
    )
    package let fallbackURL = Setting<String?>(
        "providers.*.eid_app.fallback_url", optional: .plain(.link),
        "A page that helps users who do not have the e-ID's app. Apps get it as fallback; without it they get the store page."
    )
    package let logo = Setting<String?>(
        "providers.*.logo", optional: .plain(.picture), fills: \Provider.logo,
        "A picture for the button: an https URL, or the name of a file in the assets of public_dir. This program contains no logos of e-IDs: ask the e-ID for its logo and for the rules of its use."
    )
    package let surfaces = Setting<[AuthorizationContext.Surface]>(
        "providers.*.surfaces", .choices(), fills: \Provider.surfaces,
        "What apps may open the provider's links in, the best first: auth_session, tab, system.")
    package let isEphemeral = Setting<Bool>(
        "providers.*.ephemeral", .boolean, fills: \Provider.isEphemeral,
        "Whether an auth session should share no cookies with the browser. iOS then does not ask the user first, and the e-ID remembers nothing."
    )
    package let assurance = Setting<Assurance>(
        "providers.*.assurance", .choice, fills: \Provider.assurance,
        "The level of assurance (none, low, substantial or high) if the acr does not end with one.")
    package let minimumAssurance = Setting<Assurance>(
        "providers.*.minimum_assurance", .choice, fills: \Provider.minimumAssurance,
        "The lowest accepted level of assurance: none, low, substantial or high. A login below it fails as assurance_too_low."
    )
    package let methods = Setting<Set<String>>(
        "providers.*.amr_values", .set(.word), fills: \Provider.methods,
        "The amr values of which the user must have used one, as in [code_app]. If it is empty, any is accepted.")
    package let nationalIDClaim = Setting<String?>(
        "providers.*.national_id_claim", optional: .plain(.word),
        "The claim with the user's national id. Without it the app gets no national id.")
    package let nationalIDType = Setting<String?>(
        "providers.*.national_id_type", optional: .plain(.word),
        "The type of the national id that apps get, as in dk:cpr. It is required with national_id_claim.")
    package let personNamespace = Setting<String?>(
        "providers.*.person.namespace", optional: .text,
        "The namespace of the accounts, one of namespaces. The sub of assertions is then derived from it and person.claim, and is the same at every broker of the namespace; without it the sub is derived from the broker's issuer and sub."
    )
    package let personClaim = Setting<String?>(
        "providers.*.person.claim", optional: .plain(.word),
        "The broker's claim that identifies the user in person.namespace, as in mitid.uuid. A login without it fails.")
    package let parameters = Setting<Set<String>>(
        "providers.*.parameters", .set(.word), fills: \Provider.parameters,
        "The names of authorization parameters that an app may set. Parameters that decide where a login leads are refused; those that identify a user are only for the app's backend with its api_key, and need a pushed request."
    )

    package static let declared = CommonProviderSettings()
}

extension Provider: SettingsOwner {
    /// One whose settings all have their defaults.
    package init() { self.init(id: "", brokerID: "", names: [:]) }
}

/// The settings of a namespace. Its values identify a user whatever the broker.
package final class NamespaceSettings: SettingGroup {
    package let isKeyed = Setting<Bool>(
        "namespaces.*.keyed", .boolean, default: false,
        "Whether the values of the namespace are national numbers. Accounts are then made with keys.person, because a bare hash of such a number is undone by trying all of them."
    )
    package let brokers = Setting<[String]>(
        "namespaces.*.brokers", required: .list(.text),
        "The brokers that may identify users in this namespace. Each of them can log in to every account of the namespace, so a provider of any other broker is refused."
    )

    package static let declared = NamespaceSettings()
}
