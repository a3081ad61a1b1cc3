/// The settings of each app.
import Logins

extension SettingTable {
    static let apps: [Setting] = [
        Setting(
            "apps.*.name", .names, .required,
            "The app's name as people know it: a text, or one per language."),
        Setting(
            "apps.*.default", .boolean, .value(false),
            "Whether a login whose request names no app is this one's; without any such app it is the only one's."),
        Setting(
            "apps.*.release", .choice(Release.words.map(\.key)), .optional,
            "What the app must show to get a result: return_link, the link of the done page or its code (the default where there are return_prefixes), code, the code of that page (the default else), or immediate, nothing, so that whoever is sent a login's link logs in the sender's app."
        ),
        Setting(
            "apps.*.providers", .list(.word), .optional,
            "The providers that the app has; without it all but those whose own release asks for less than the app's. Such a one belongs to an app only if it is named here, and the app's own API must then look at proof and provider in the assertion."
        ),
        Setting(
            "apps.*.audience", .text, .optional,
            "The aud of the app's assertions, which its own API demands; without it the app's name in this file."),
        Setting(
            "apps.*.assertion_typ", .word, .value(.text(AssertionTerms.usualType)),
            "The typ of the app's assertions: JWT, for libraries that take no other, or a type that ends in +jwt; the app's own API must demand it."
        ),
        Setting(
            "apps.*.assertion_claims", .list(.choice(AssertionClaim.allCases.map(\.rawValue))), .value(.list([])),
            "What the app's assertions say of the person, besides who it is: name, given_name, family_name, birth_date, national_id, country, as in the identity, and claims, those of providers.*.claims."
        ),
        Setting(
            "apps.*.assertion_key", .file, .optional,
            "The public key of the app's own API, a JWK or a set of them, for RSA-OAEP-256, ECDH-ES+A256KW or ECDH-ES: assertions are then encrypted to it, and the phone is told no national id, none of assertion_claims and none of the broker's claims."
        ),
        Setting(
            "apps.*.api_key", .text, .optional, secret: true,
            "A secret of the app's own backend, shown as Api-Key: whoever creates a login with it may say in parameters whom it is about, and whoever shows it beside a login's poll secret gets the whole result. Never in the app."
        ),
        Setting(
            "apps.*.return_prefixes", .list(.returnPrefix), .optional,
            "How links that open the app begin, as in https://link.example.com/r/ or com.example.app:/r; the done page's button goes to the first."
        ),
        Setting(
            "apps.*.return_scheme", .scheme, .optional,
            "A scheme of the app's own, as in com.example.shop, for phones on which no link opens it: its links are return prefixes too, and the button of the page on link_url tries it."
        ),
        Setting(
            "apps.*.proof_over_scheme", .boolean, .value(false),
            "Lets the proof of a login travel in links of the app's own scheme, which any other app on the phone can claim too; without it such links open the app, and the person types the code of the page."
        ),
        Setting(
            "apps.*.origins", .list(.origin), .optional,
            "The origins of web pages that may call this server's API from a browser (CORS), as in https://www.example.com; what one app lists holds for the whole API."
        ),
        Setting(
            "apps.*.ios.app_ids", .list(.appleAppID), .optional,
            "The app on iOS, its team before its bundle id; apple-app-site-association on link_url names it for the return_prefixes there."
        ),
        Setting(
            "apps.*.android[].package", .androidPackage, .required,
            "The app on Android, by its application id; assetlinks.json on link_url names it."),
        Setting(
            "apps.*.android[].sha256_cert_fingerprints", .list(.fingerprint), .required,
            "The certificates that sign the app, as `keytool -list -v` shows them; with Play App Signing that of Google's key, in the Play console under App integrity."
        ),
    ]
}
