// The settings of the server itself.

import JOSE

extension SettingTable {
    static let server: [Setting<SettingValue>] = [
        Setting(
            "public_url", .origin, .required,
            "The URL at which browsers and brokers reach this server. Redirect URIs begin with it."),
        Setting(
            "link_url", .origin, .optional,
            "The URL of links that open the app. Its host must differ from that of public_url, because iOS does not leave the browser for a link to the page's own host."
        ),
        Setting(
            "allow_insecure_public_url", .boolean, .value(false),
            "Allows http in public_url, link_url and return_prefixes on hosts other than loopback. Use it only to test with a phone, never in production."
        ),
        Setting(
            "listen", .address, .value("127.0.0.1:8080"), atStart: true,
            "The address and port for apps and browsers, or a Unix socket for a proxy on this machine, as in unix:/run/switchback/http.sock. A Unix socket needs proxy.header, and unix in proxy.trusted."
        ),
        Setting(
            "operations_listen", .address, .value("127.0.0.1:8082"), atStart: true,
            "The address and port, or the Unix socket, of /livez, /readyz and /metrics. Do not expose it to the internet."
        ),
        Setting(
            "reuse_port", .boolean, .value(false), atStart: true,
            "Lets several processes on this machine share the same listen, each with some of its connections (SO_REUSEPORT). It needs store postgresql, and each process needs its own operations_listen."
        ),
        Setting(
            "public_dir", .folder, .optional,
            "A folder whose files replace built-in ones: templates/page.mustache, templates/page.js, openapi.yaml, openapi-app.yaml, those in assets, and single texts of those in strings. It may add languages and assets. Without it all of them are the built-in ones."
        ),
        Setting(
            "default_language", .language, .value("en"),
            "The language of the pages for users none of whose languages the server has. It must have a file in strings, built in or in public_dir."
        ),
        Setting(
            "allow_draft_languages", .boolean, .value(false),
            "Also offers the pages in languages whose files in strings say opt_in: Faroese (fo) and Greenlandic (kl). They need it because they are drafts with more mistakes than the other drafts; ask a native speaker to read them first."
        ),
        Setting(
            "security_txt.contacts", .list(.word), .optional,
            "Where to report a security problem of this server: https, mailto or tel URLs, the preferred one first. The server then has /.well-known/security.txt (RFC 9116)."
        ),
        Setting(
            "security_txt.expires", .time, .optional,
            "Until when security_txt.contacts is surely right, at most a year ahead. After that, people no longer trust the file."
        ),
        Setting(
            "store", .choice(Configuration.Store.allCases.map(\.rawValue)), .value("sqlite"), atStart: true,
            "Where logins are stored: sqlite is a file on this machine, for one server; postgresql is a database for any number of servers; memory loses all logins when the server stops."
        ),
        Setting(
            "sqlite.path", .file, .value("/var/lib/switchback/switchback.db"), atStart: true,
            "The database file of store sqlite, on a local disk. The server creates its folder if it is missing."),
        Setting(
            "server_keys", .list(.file), .required,
            "Key files made by `switchback keys generate server` or `keys rotate server`. The active key encrypts what is stored; all of them decrypt it."
        ),
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
            "keys.person", .file, .optional,
            "A key file made by `switchback keys generate person`. It names users whose account comes from a national number (namespaces.*.keyed, or subject_claim of kind digid), so that nobody who has a sub finds the number by trying all of them. It never rotates: with another key these users have other accounts."
        ),
        Setting(
            "login_lifetime", .integer(30...3600, .seconds), .value(600),
            "Seconds from the start of a login until it expires. Raise it if users need more time."),
        Setting(
            "result_ttl", .integer(30...86_400, .seconds), .value(600),
            "Seconds for which an app can fetch a result, unless it deletes the result earlier."),
        Setting(
            "poll.wait", .integer(1...120, .seconds), .value(25),
            "The longest time of a long poll, in seconds. Keep it below the idle timeout of every proxy in front of the server."
        ),
        Setting(
            "poll.interval", .integer(1...60, .seconds), .value(2),
            "Seconds that an app should leave between two polls that do not wait."),
        Setting(
            "proxy.header", .choice(Configuration.Proxy.Header.allCases.map(\.rawValue)), .value("none"), atStart: true,
            "How the proxy sends the client's address: none, x-forwarded-for, forwarded (RFC 7239), or proxy, which is the PROXY protocol (version 1 or 2). With proxy every connection must begin with such a header."
        ),
        Setting(
            "proxy.trusted", .list(.trustedPeer), .value([]), atStart: true,
            "The addresses of the proxies; unix stands for a proxy that connects by a Unix socket. The client is the rightmost address of the header that is not among them. With proxy.header proxy no one else may connect."
        ),
        Setting(
            "drain_delay", .integer(0...300, .seconds), .value(5),
            "Seconds after SIGTERM in which /readyz reports that the server is not ready, while it still accepts new connections. The process ends up to 24 seconds later."
        ),
        Setting(
            "reload_interval", .integer(0...3600, .seconds), .value(10),
            "Seconds between two checks whether a file of the configuration has changed; the server then reloads it, as after SIGHUP. 0 turns the checks off."
        ),
        Setting(
            "log.level", .choice(Configuration.Log.levels), .value("info"), atStart: true,
            "The lowest level that is logged: trace, debug, info, notice, warning, error or critical."),
        Setting(
            "log.format", .choice(Configuration.Log.Format.allCases.map(\.rawValue)), .value("auto"), atStart: true,
            "The format of the log: text, json, or auto, which is text on a terminal and json otherwise."),
    ]
}

extension SettingKind {
    /// A signature algorithm. All of them are asymmetric, and `none` is not among them.
    static let algorithm = SettingKind.choice(SignatureAlgorithm.allCases.map(\.rawValue))

    /// The algorithm of request objects: with a key of ours, or with the client secret.
    static let requestObjectAlgorithm = SettingKind.choice(
        SignatureAlgorithm.allCases.map(\.rawValue) + MACAlgorithm.allCases.map(\.rawValue))
}

/// The settings of TLS.
extension SettingTable {
    static let tls: [Setting<SettingValue>] = [
        Setting(
            "tls.certificate", .file, .optional,
            "The server's certificate in PEM, followed by the intermediate certificates. With it and tls.key the server speaks only https on listen."
        ),
        Setting(
            "tls.key", .file, .optional,
            "The private key of tls.certificate, in PEM without a password."),
        Setting(
            "tls.more[].certificate", .file, .optional,
            "A certificate for other host names. Clients that ask for one of its names get it, and all others get tls.certificate."
        ),
        Setting(
            "tls.more[].key", .file, .optional,
            "The private key of this certificate, in PEM without a password."),
        Setting(
            "tls.client_certificates", .choice(Configuration.TLS.ClientCertificates.allCases.map(\.rawValue)),
            .value("off"),
            "Whether the server asks clients for a certificate: off, optional (a client may send none, but an invalid one is refused) or required."
        ),
        Setting(
            "tls.client_ca", .file, .optional,
            "The certificate authorities of client certificates, in PEM."),
    ]
}
