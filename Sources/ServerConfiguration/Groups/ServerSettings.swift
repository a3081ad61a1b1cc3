import Base
import HTTPServer
import JOSE
import Logins
import OpenIDConnect

/// The settings of the server itself.
package final class ServerSettings: SettingGroup {
    package enum Store: String, CaseIterable, Sendable {
        case sqlite, memory, postgresql
    }

    package let publicURL = Setting<EndpointURL>(
        "public_url", required: .origin,
        "The URL at which browsers and brokers reach this server. Redirect URIs begin with it.")
    package let linkURL = Setting<EndpointURL?>(
        "link_url", optional: .origin,
        "The URL of links that open the app. Its host must differ from that of public_url, because iOS does not leave the browser for a link to the page's own host."
    )
    package let allowsInsecureURLs = Setting<Bool>(
        "allow_insecure_public_url", .boolean, default: false,
        "Allows http in public_url, link_url and return_prefixes on hosts other than loopback. Use it only to test with a phone, never in production."
    )
    package let listen = Setting<ListenAddress>(
        "listen", .address, written: "127.0.0.1:8080", atStart: true,
        "The address and port for apps and browsers, or a Unix socket for a proxy on this machine, as in unix:/run/switchback/http.sock. A Unix socket needs proxy.header, and unix in proxy.trusted."
    )
    package let operationsListen = Setting<ListenAddress>(
        "operations_listen", .address, written: "127.0.0.1:8082", atStart: true,
        "The address and port, or the Unix socket, of /livez, /readyz and /metrics. Do not expose it to the internet.")
    package let reusesPort = Setting<Bool>(
        "reuse_port", .boolean, default: false, atStart: true,
        "Lets several processes on this machine share the same listen, each with some of its connections (SO_REUSEPORT). It needs store postgresql, and each process needs its own operations_listen."
    )
    package let publicFolder = Setting<String?>(
        "public_dir", optional: .folder,
        "A folder whose files replace built-in ones: templates/page.mustache, templates/page.js, openapi.yaml, openapi-app.yaml, those in assets, and single texts of those in strings. It may add languages and assets. Without it all of them are the built-in ones."
    )
    package let defaultLanguage = Setting<String>(
        "default_language", .language, default: "en",
        "The language of the pages for users none of whose languages the server has. It must have a file in strings, built in or in public_dir."
    )
    package let allowsDraftLanguages = Setting<Bool>(
        "allow_draft_languages", .boolean, default: false,
        "Also offers the pages in languages whose files in strings say opt_in: Faroese (fo) and Greenlandic (kl). They need it because they are drafts with more mistakes than the other drafts; ask a native speaker to read them first."
    )
    package let namedContacts = Setting<[String]?>(
        "security_txt.contacts", optional: .list(.word),
        "Where to report a security problem of this server: https, mailto or tel URLs, the preferred one first. The server then has /.well-known/security.txt (RFC 9116)."
    )
    package let securityContactsExpire = Setting<Timestamp?>(
        "security_txt.expires", optional: .time,
        "Until when security_txt.contacts is surely right, at most a year ahead. After that, people no longer trust the file."
    )
    package let store = Setting<Store>(
        "store", .choice, default: .sqlite, atStart: true,
        "Where logins are stored: sqlite is a file on this machine, for one server; postgresql is a database for any number of servers; memory loses all logins when the server stops."
    )
    package let sqlitePath = Setting<String>(
        "sqlite.path", .file, default: "/var/lib/switchback/switchback.db", atStart: true,
        "The database file of store sqlite, on a local disk. The server creates its folder if it is missing.")
    package let serverKeyFiles = Setting<[String]>(
        "server_keys", required: .list(.file),
        "Key files made by `switchback keys generate server` or `keys rotate server`. The active key encrypts what is stored; all of them decrypt it."
    )
    private let keyFiles = ServerSettings.keyFiles
    package let keys = KeySettings.declared
    package let loginLifetime = Setting<Duration>(
        "login_lifetime", .seconds(30...3600), default: LoginSettings(publicURL: "").lifetime,
        "Seconds from the start of a login until it expires. Raise it if users need more time.")
    package let resultLifetime = Setting<Duration>(
        "result_ttl", .seconds(30...86_400), default: LoginSettings(publicURL: "").resultTTL,
        "Seconds for which an app can fetch a result, unless it deletes the result earlier.")
    package let poll = PollSettings.declared
    package let proxy = ProxySettings.declared
    package let drainDelay = Setting<Duration>(
        "drain_delay", .seconds(0...300), default: .seconds(5),
        "Seconds after SIGTERM in which /readyz reports that the server is not ready, while it still accepts new connections. The process ends up to 24 seconds later."
    )
    package let reloadInterval = Setting<Duration>(
        "reload_interval", .seconds(0...3600), default: .seconds(10),
        "Seconds between two checks whether a file of the configuration has changed; the server then reloads it, as after SIGHUP. 0 turns the checks off."
    )
    package let log = LogSettings.declared
    package let tracing = TracingSettings.declared
    package let recorder = RecorderSettings.declared
    package let audit = AuditSettings.declared

    package static let declared = ServerSettings()
}

extension ServerSettings {
    /// The files of keys are read one by one.
    private static let keyFiles: [Setting<SettingValue>] = [
        Setting(
            "keys.signing[].file", .file, .required,
            "A private key in PEM that signs what the server sends to brokers; `switchback keys generate signing` makes one. The first active key that fits signs, and /client/jwks.json publishes all public keys for brokers."
        ),
        Setting(
            "keys.signing[].algorithm", .algorithm, .optional,
            "The only algorithm to use with the key. Without it the key is used with every algorithm that fits."),
        Setting(
            "keys.signing[].kid", .word, .optional,
            "The key's name in tokens and key sets. Without it the name is the key's thumbprint (RFC 7638)."),
        Setting(
            "keys.assertion[].file", .file, .required,
            "A private key in PEM that signs the assertions for apps, and nothing else. The active key signs, and /.well-known/jwks.json publishes all public keys."
        ),
        Setting(
            "keys.assertion[].algorithm", .algorithm, .optional,
            "The algorithm to use with the key. Without it the server uses the usual one for the key."),
        Setting(
            "keys.assertion[].kid", .word, .optional,
            "The key's name in tokens and key sets. Without it the name is the key's thumbprint (RFC 7638)."),
        Setting(
            "keys.decryption[].file", .file, .required,
            "An RSA or EC private key in PEM that decrypts what brokers encrypt for this server. All keys decrypt, and /client/jwks.json publishes the public keys of the active ones."
        ),
        Setting(
            "keys.decryption[].kid", .word, .optional,
            "The key's name in tokens and key sets. Without it the name is the key's thumbprint (RFC 7638)."),
        Setting(
            "keys.access[].file", .file, .required,
            "A private key in PEM that signs the access tokens for apps, and nothing else. The active key signs, and /.well-known/access-jwks.json publishes all public keys."
        ),
        Setting(
            "keys.access[].algorithm", .algorithm, .optional,
            "The algorithm to use with the key. Without it the server uses the usual one for the key."),
        Setting(
            "keys.access[].kid", .word, .optional,
            "The key's name in tokens and key sets. Without it the name is the key's thumbprint (RFC 7638)."),
        Setting(
            "keys.session[].file", .file, .required,
            "A key file made by `switchback keys generate session` or `keys rotate session`. The active key encrypts the sessions in the store; all of them decrypt them, and `keys status` counts the sessions that still need each."
        ),
        Setting(
            "keys.audit[].file", .file, .required,
            "A private key in PEM that signs the audit with ES256, and nothing else; `switchback keys generate audit` makes one. The active key signs. An auditor needs the public keys of all."
        ),
        Setting(
            "keys.audit[].kid", .word, .optional,
            "The key's name in signatures. Without it the name is the key's thumbprint (RFC 7638)."),
        Setting(
            "keys.person", .file, .optional,
            "A key file made by `switchback keys generate person`. It names users whose account comes from a national number (namespaces.*.keyed, or subject_claim of kind digid), so that nobody who has a sub finds the number by trying all of them. It never rotates: with another key these users have other accounts."
        ),
    ]
}

extension SettingKind {
    /// A signature algorithm. All of them are asymmetric, and `none` is not among them.
    static let algorithm = SettingKind.choice(SignatureAlgorithm.allCases.map(\.rawValue))

    /// The algorithm of request objects: with a key of ours, or with the client secret.
    static let requestObjectAlgorithm = SettingKind.choice(
        SignatureAlgorithm.allCases.map(\.rawValue) + MACAlgorithm.allCases.map(\.rawValue))
}

extension EffectiveSettings {
    /// The settings of the server itself, while the configuration is checked.
    var server: SettingReader<ServerSettings> { SettingReader(self) }
}
