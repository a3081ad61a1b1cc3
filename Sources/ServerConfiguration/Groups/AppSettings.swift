import Attestation
import Base
import Logins
import Sessions

/// The settings of an app. `Configuration.App` has the values, and what follows from several of them.
package final class AppSettings: SettingGroup {
    package let names = Setting<[String: String]>(
        "apps.*.name", required: .names,
        "The app's name as users know it: a text, or one per language.")
    package let look = LookSettings.declared
    package let isDefault = Setting<Bool>(
        "apps.*.default", .boolean, default: false,
        "Whether a request that names no app is for this app. Without a default app, such a request is for the only app, if there is just one."
    )
    package let ownRelease = Setting<ReleasePolicy?>(
        "apps.*.release", optional: .release,
        "What the app must show to get a result. return_link is the link of the done page or its code, and the default if there are return_prefixes; code is the code of that page, and the default otherwise; immediate is nothing, so a user who opens a login link from someone else logs in that person's app."
    )
    package let returnTimeout = Setting<Duration>(
        "apps.*.return_timeout",
        .seconds(LoginSettings.App.shortestReturnTimeout...LoginSettings.App.longestReturnTimeout),
        default: LoginSettings.App.usualReturnTimeout,
        "How long the result of a login waits for the user to return from the done page to the app. In its last minute the page can double it, once. Users who read or move slowly need the time; whoever finds an open page has it too."
    )
    package let providers = Setting<[String]?>(
        "apps.*.providers", optional: .list(.word),
        "The providers of the app. Without it the app has all providers except those whose own release requires less than the app's. Such a provider must be named here, and the app's own API must then check proof and provider in the assertion."
    )
    package let audience = Setting<String?>(
        "apps.*.audience", optional: .text,
        "The aud of the app's assertions, which the app's own API must require. Without it the aud is the app's name in this file."
    )
    package let assertionType = Setting<String>(
        "apps.*.assertion_typ", .plain(.word), default: AssertionTerms.usualType,
        "The typ of the app's assertions, which the app's own API must require: a type that ends in +jwt, or JWT for libraries that accept nothing else."
    )
    package let assertionClaims = Setting<[AssertionClaim]>(
        "apps.*.assertion_claims", .choices(), default: [],
        "What the app's assertions say about the user, besides the account: name, given_name, family_name, birth_date, national_id and country as in the identity, and claims for those in providers.*.claims."
    )
    package let assertionKey = Setting<String?>(
        "apps.*.assertion_key", optional: .file,
        "The file with the public key of the app's own API, a JWK or a JWK Set, for RSA-OAEP-256, ECDH-ES+A256KW or ECDH-ES. Assertions are then encrypted to it, and the phone gets no national id, none of assertion_claims and none of the broker's claims."
    )
    package let session = Setting<SessionLevel>(
        "apps.*.session", .choice, default: .none,
        "What a login of the app may become, if its provider and its proof allow that too. none is only the identity; access adds one access token; refresh adds a session, in which the phone's key gets new ones; unlock is the same with a PIN after sessions.idle."
    )
    package let sessionAudience = Setting<String?>(
        "apps.*.session_audience", optional: .text,
        "The aud of the app's access tokens, which the app's own API must require. It is required with session, and must not be the audience of any app's assertions."
    )
    package let allowsSessionByCode = Setting<Bool>(
        "apps.*.session_by_code", .boolean, default: false,
        "Lets a login that was proved with the code of the page become a session. Without it such a login gets access at most, because a user can be talked into telling someone the code."
    )
    package let allowsBearer = Setting<Bool>(
        "apps.*.bearer", .boolean, default: false,
        "Lets a login without dpop_jkt get a bearer token, which works for everyone who has it. Only for session access."
    )
    package let attestation = Setting<AttestationRequirement>(
        "apps.*.attestation", .choice, default: .none,
        "Whether a phone must attest the app or the key before a session of level refresh or unlock begins: none looks at nothing, optional refuses only what is invalid, and required also refuses phones that attest nothing. ios.app_ids and android say which apps are genuine, and attested sessions live for sessions.attested_lifetime."
    )
    package let apiKey = Setting<Secret?>(
        "apps.*.api_key", optional: .secret, secret: true,
        "A secret of the app's own backend, sent as Api-Key; never put it into the app. A backend that creates a login with it may identify the user in parameters, and one that sends it with a login's poll secret gets the whole result."
    )
    package let ownPrefixes = Setting<[String]?>(
        "apps.*.return_prefixes", optional: .list(.returnPrefix),
        "The beginnings of links that open the app, as in https://link.example.com/r/ or com.example.app:/r. The button of the done page leads to the first one. A login with platform web leads to the first one on an origin in origins, at once."
    )
    package let returnScheme = Setting<String?>(
        "apps.*.return_scheme", optional: .plain(.scheme),
        "The app's own scheme, as in com.example.shop, for phones on which https links do not open the app. Its links are return prefixes too, and the button of the page on link_url uses it."
    )
    package let provesOverScheme = Setting<Bool>(
        "apps.*.proof_over_scheme", .boolean, default: false,
        "Lets links of the app's own scheme carry the proof of a login, although any other app on the phone can claim that scheme too. Without it such links only open the app, and the user types the code of the page."
    )
    package let origins = Setting<[String]>(
        "apps.*.origins", optional: .list(.pageOrigin), otherwise: [],
        "The origins of web pages that may call this server's API from a browser (CORS), as in https://www.example.com, and of the pages inside hybrid apps, as in capacitor://localhost. The origins of one app may call the whole API."
    )
    package let appleIDs = Setting<[String]>(
        "apps.*.ios.app_ids", optional: .list(.appleAppID), otherwise: [],
        "The ids of the app on iOS, each with the team id before the bundle id. apple-app-site-association on link_url names them for the return_prefixes there, and attestations must be theirs."
    )
    package let attestEnvironments = Setting<[AppAttestEnvironment]>(
        "apps.*.ios.app_attest_environments", .choices(), default: [.production],
        "The environments of App Attest whose attestations count. Apps from TestFlight and the App Store use production; those that Xcode installs use development, so name it only on servers for tests."
    )
    package let android = SettingItems("apps.*.android") { AndroidSettings($0) }

    package static let declared = AppSettings()
}

/// The settings of one of an app's packages on Android.
package final class AndroidSettings: SettingDeclarations {
    package let package: Setting<String>
    package let fingerprints: Setting<[String]>

    fileprivate init(_ place: String) {
        self.package = Setting(
            "\(place).package", required: .plain(.androidPackage),
            "The application id of the app on Android. assetlinks.json on link_url names it, and attestations must be its own."
        )
        self.fingerprints = Setting(
            "\(place).sha256_cert_fingerprints", required: .list(.fingerprint),
            "The fingerprints of the certificates that sign the app, as `keytool -list -v` prints them. With Play App Signing use that of Google's key, under App integrity in the Play Console."
        )
    }
}

extension SettingScope {
    /// The packages of an app on Android.
    var androidPackages: [SettingReader<AndroidSettings>] { self.reader(AppSettings.self).android }
}

/// How an app looks on the pages.
package final class LookSettings: SettingGroup {
    package let accent = Setting<PageColor?>(
        "apps.*.look.accent", optional: .color,
        "The colour of the button, of links and of signs, as in #14532d. The text on the button is white or black, whichever can be read, and where the colour itself could not be read or seen, the colour of the text takes its place."
    )
    package let accentDark = Setting<PageColor?>(
        "apps.*.look.accent_dark", optional: .color,
        "The same on dark pages, as in #86efac. Without it they have look.accent too.")
    package let logo = Setting<String?>(
        "apps.*.look.logo", optional: .file,
        "The app's logo at the top of its pages, above its name: an SVG or PNG file of at most 32 KiB.")
    package let logoDark = Setting<String?>(
        "apps.*.look.logo_dark", optional: .file,
        "The logo on dark pages. Without it they show look.logo on a white plate.")
    package let showsName = Setting<Bool>(
        "apps.*.look.show_name", .boolean, default: true,
        "Whether the app's name stands below its logo. Choose false if the logo is the name.")
    package let icon = Setting<String?>(
        "apps.*.look.icon", optional: .file,
        "The icon of the browser's tab: an SVG or PNG file of at most 32 KiB.")
    package let font = Setting<String?>(
        "apps.*.look.font", optional: .file,
        "The font of the app's pages: a WOFF2 file of at most 96 KiB, with all weights or one.")
    package let radius = Setting<Int?>(
        "apps.*.look.radius", optional: .integer(0...28),
        "The radius of the corners of the button, in pixels: 0 for square ones, 28 for round ends. Without it the corners have 12."
    )
    package let supportURL = Setting<String?>(
        "apps.*.look.support_url", optional: .plain(.contact),
        "Where users get help: an https URL, or mailto: and an address. Pages about a failed login link to it.")

    package static let declared = LookSettings()
}

extension SettingType where Value == ReleasePolicy {
    static var release: Self {
        Self(
            kind: .choice(ReleasePolicy.words.map(\.key)), read: { $0.text.flatMap { ReleasePolicy(word: $0) } },
            write: { policy in .text(ReleasePolicy.words.first { $0.value == policy }?.key ?? "") })
    }
}

extension ReleasePolicy {
    /// The names of the policies in settings.
    static let words: KeyValuePairs<String, ReleasePolicy> = [
        "return_link": .returnLink, "code": .code, "immediate": .immediate,
    ]

    init?(word: String) {
        guard let match = Self.words.first(where: { $0.key == word }) else { return nil }
        self = match.value
    }
}
