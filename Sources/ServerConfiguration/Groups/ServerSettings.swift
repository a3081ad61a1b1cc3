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
