// The settings of each app.

import Attestation
import Logins
import Sessions

extension SettingTable {
    static let apps: [Setting<SettingValue>] = [
        Setting(
            "apps.*.name", .names, .required,
            "The app's name as users know it: a text, or one per language."),
        Setting(
            "apps.*.look.accent", .color, .optional,
            "The colour of the button, with white text on it, and of links on light pages, as in #14532d. Its contrast to the text and to the page must be at least 4.5:1."
        ),
        Setting(
            "apps.*.look.accent_dark", .color, .optional,
            "The same on dark pages, with dark text on it, as in #86efac. Without it dark pages have the usual colour."),
        Setting(
            "apps.*.look.logo", .file, .optional,
            "The app's logo at the top of its pages, above its name: an SVG or PNG file of at most 32 KiB."),
        Setting(
            "apps.*.look.logo_dark", .file, .optional,
            "The logo on dark pages. Without it they show look.logo on a white plate."),
        Setting(
            "apps.*.look.support_url", .contact, .optional,
            "Where users get help: an https URL, or mailto: and an address. Pages about a failed login link to it."),
        Setting(
            "apps.*.default", .boolean, .value(false),
            "Whether a request that names no app is for this app. Without a default app, such a request is for the only app, if there is just one."
        ),
        Setting(
            "apps.*.release", .choice(ReleasePolicy.words.map(\.key)), .optional,
            "What the app must show to get a result. return_link is the link of the done page or its code, and the default if there are return_prefixes; code is the code of that page, and the default otherwise; immediate is nothing, so a user who opens a login link from someone else logs in that person's app."
        ),
        Setting(
            "apps.*.return_timeout",
            .integer(LoginSettings.App.shortestReturnTimeout...LoginSettings.App.longestReturnTimeout, .seconds),
            .value(.integer(Int(LoginSettings.App.usualReturnTimeout / .seconds(1)))),
            "How long the result of a login waits for the user to return from the done page to the app. In its last minute the page can double it, once. Users who read or move slowly need the time; whoever finds an open page has it too."
        ),
        Setting(
            "apps.*.providers", .list(.word), .optional,
            "The providers of the app. Without it the app has all providers except those whose own release requires less than the app's. Such a provider must be named here, and the app's own API must then check proof and provider in the assertion."
        ),
        Setting(
            "apps.*.audience", .text, .optional,
            "The aud of the app's assertions, which the app's own API must require. Without it the aud is the app's name in this file."
        ),
        Setting(
            "apps.*.assertion_typ", .word, .value(.text(AssertionTerms.usualType)),
            "The typ of the app's assertions, which the app's own API must require: a type that ends in +jwt, or JWT for libraries that accept nothing else."
        ),
        Setting(
            "apps.*.assertion_claims", .list(.choice(AssertionClaim.allCases.map(\.rawValue))), .value(.list([])),
            "What the app's assertions say about the user, besides the account: name, given_name, family_name, birth_date, national_id and country as in the identity, and claims for those in providers.*.claims."
        ),
        Setting(
            "apps.*.assertion_key", .file, .optional,
            "The file with the public key of the app's own API, a JWK or a JWK Set, for RSA-OAEP-256, ECDH-ES+A256KW or ECDH-ES. Assertions are then encrypted to it, and the phone gets no national id, none of assertion_claims and none of the broker's claims."
        ),
        Setting(
            "apps.*.session", .sessionLevel, .value("none"),
            "What a login of the app may become, if its provider and its proof allow that too. none is only the identity; access adds one access token; refresh adds a session, in which the phone's key gets new ones; unlock is the same with a PIN after sessions.idle."
        ),
        Setting(
            "apps.*.session_audience", .text, .optional,
            "The aud of the app's access tokens, which the app's own API must require. It is required with session, and must not be the audience of any app's assertions."
        ),
        Setting(
            "apps.*.session_by_code", .boolean, .value(false),
            "Lets a login that was proved with the code of the page become a session. Without it such a login gets access at most, because a user can be talked into telling someone the code."
        ),
        Setting(
            "apps.*.bearer", .boolean, .value(false),
            "Lets a login without dpop_jkt get a bearer token, which works for everyone who has it. Only for session access."
        ),
        Setting(
            "apps.*.attestation", .attestationRequirement, .value("none"),
            "Whether a phone must attest the app or the key before a session of level refresh or unlock begins: none looks at nothing, optional refuses only what is invalid, and required also refuses phones that attest nothing. ios.app_ids and android say which apps are genuine, and attested sessions live for sessions.attested_lifetime."
        ),
        Setting(
            "apps.*.api_key", .text, .optional, secret: true,
            "A secret of the app's own backend, sent as Api-Key; never put it into the app. A backend that creates a login with it may identify the user in parameters, and one that sends it with a login's poll secret gets the whole result."
        ),
        Setting(
            "apps.*.return_prefixes", .list(.returnPrefix), .optional,
            "The beginnings of links that open the app, as in https://link.example.com/r/ or com.example.app:/r. The button of the done page leads to the first one. A login with platform web leads to the first one on an origin in origins, at once."
        ),
        Setting(
            "apps.*.return_scheme", .scheme, .optional,
            "The app's own scheme, as in com.example.shop, for phones on which https links do not open the app. Its links are return prefixes too, and the button of the page on link_url uses it."
        ),
        Setting(
            "apps.*.proof_over_scheme", .boolean, .value(false),
            "Lets links of the app's own scheme carry the proof of a login, although any other app on the phone can claim that scheme too. Without it such links only open the app, and the user types the code of the page."
        ),
        Setting(
            "apps.*.origins", .list(.pageOrigin), .optional,
            "The origins of web pages that may call this server's API from a browser (CORS), as in https://www.example.com, and of the pages inside hybrid apps, as in capacitor://localhost. The origins of one app may call the whole API."
        ),
        Setting(
            "apps.*.ios.app_ids", .list(.appleAppID), .optional,
            "The ids of the app on iOS, each with the team id before the bundle id. apple-app-site-association on link_url names them for the return_prefixes there, and attestations must be theirs."
        ),
        Setting(
            "apps.*.ios.app_attest_environments", .list(.appAttestEnvironment), .value(["production"]),
            "The environments of App Attest whose attestations count. Apps from TestFlight and the App Store use production; those that Xcode installs use development, so name it only on servers for tests."
        ),
        Setting(
            "apps.*.android[].package", .androidPackage, .required,
            "The application id of the app on Android. assetlinks.json on link_url names it, and attestations must be its own."
        ),
        Setting(
            "apps.*.android[].sha256_cert_fingerprints", .list(.fingerprint), .required,
            "The fingerprints of the certificates that sign the app, as `keytool -list -v` prints them. With Play App Signing use that of Google's key, under App integrity in the Play Console."
        ),
    ]
}

extension SettingKind {
    /// What a login may become.
    static let sessionLevel = SettingKind.choice(SessionLevel.allCases.map(\.rawValue))
}

extension SettingKind {
    /// Whether an app's sessions need an attestation.
    static let attestationRequirement = SettingKind.choice(AttestationRequirement.allCases.map(\.rawValue))
    static let appAttestEnvironment = SettingKind.choice(AppAttestEnvironment.allCases.map(\.rawValue))
}
