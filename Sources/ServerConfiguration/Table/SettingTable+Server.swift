/// The settings of the server itself.
import JOSE

extension SettingTable {
    static let server: [Setting] = [
        Setting(
            "public_url", .origin, .required,
            "Where browsers and brokers reach this server; redirect URIs begin with it."),
        Setting(
            "link_url", .origin, .optional,
            "Where links that open the app lead, on another host than public_url: iOS never leaves the browser for a link to the page's own host."
        ),
        Setting(
            "allow_insecure_public_url", .boolean, .value(false),
            "Permits http in public_url, link_url and return_prefixes on other hosts than loopback; for trying out with a phone, never else."
        ),
        Setting(
            "listen", .address, .value("127.0.0.1:8080"), atStart: true,
            "The address and port for apps and browsers, or a Unix socket for a proxy on this machine, as in unix:/run/switchback/http.sock; that needs proxy.header, and unix in proxy.trusted."
        ),
        Setting(
            "operations_listen", .address, .value("127.0.0.1:8082"), atStart: true,
            "The address and port, or the Unix socket, of /livez, /readyz and /metrics; not for the internet."),
        Setting(
            "reuse_port", .boolean, .value(false), atStart: true,
            "Lets several processes of this machine have the same listen, each with some of its connections (SO_REUSEPORT); only with store postgresql, and each with its own operations_listen."
        ),
        Setting(
            "public_dir", .folder, .optional,
            "The folder with the pages and openapi.yaml; without it ./Public, or else /usr/share/switchback/Public."),
        Setting(
            "store", .choice(Configuration.Store.allCases.map(\.rawValue)), .value("sqlite"), atStart: true,
            "Where logins are kept: sqlite is a file of this machine, for one server; postgresql is a database for any number of servers; memory loses them when the server ends."
        ),
        Setting(
            "sqlite.path", .file, .value("/var/lib/switchback/switchback.db"), atStart: true,
            "The file of store sqlite, on a disk of this machine; its folder is made where it is missing."),
        Setting(
            "server_keys", .list(.file), .required,
            "Files made by `switchback keys generate server`, or `keys rotate server`; the active one seals what is stored, all of them open it."
        ),
        Setting(
            "keys.signing[].file", .file, .required,
            "A private key in PEM for what brokers are sent, made by `switchback keys generate signing`; the first active one that fits signs, all public halves are in /client/jwks.json, which brokers read."
        ),
        Setting(
            "keys.signing[].algorithm", .algorithm, .optional,
            "The only algorithm that the key is used with; without it every one that fits the key."),
        Setting(
            "keys.signing[].kid", .word, .optional,
            "The key's name in tokens and key sets; without it the key's thumbprint (RFC 7638)."),
        Setting(
            "keys.assertion[].file", .file, .required,
            "A private key in PEM for the assertions that apps get, and for nothing else; the active one signs, all public halves are in /.well-known/jwks.json."
        ),
        Setting(
            "keys.assertion[].algorithm", .algorithm, .optional,
            "The algorithm that the key is used with; without it the usual one."),
        Setting(
            "keys.assertion[].kid", .word, .optional,
            "The key's name in tokens and key sets; without it the key's thumbprint (RFC 7638)."),
        Setting(
            "keys.decryption[].file", .file, .required,
            "An RSA or EC private key in PEM that opens what brokers encrypt for this server; all of them open, the public halves of the active ones are in /client/jwks.json."
        ),
        Setting(
            "keys.decryption[].kid", .word, .optional,
            "The key's name in tokens and key sets; without it the key's thumbprint (RFC 7638)."),
        Setting(
            "login_lifetime", .integer(30...3600, .seconds), .value(600),
            "Seconds from the start of a login until it expires."),
        Setting(
            "result_ttl", .integer(30...86_400, .seconds), .value(600),
            "Seconds that a result can be fetched, unless the app deletes it before."),
        Setting(
            "poll.wait", .integer(1...120, .seconds), .value(25),
            "Seconds that a poll is held at most; keep it below the idle timeout of every proxy in front."),
        Setting(
            "poll.interval", .integer(1...60, .seconds), .value(2),
            "Seconds between two polls that do not wait."),
        Setting(
            "proxy.header", .choice(Configuration.Proxy.Header.allCases.map(\.rawValue)), .value("none"), atStart: true,
            "How the proxy names the client's address: none, x-forwarded-for, forwarded (RFC 7239), or proxy, the PROXY protocol (version 1 or 2), with which every connection must then begin."
        ),
        Setting(
            "proxy.trusted", .list(.trustedPeer), .value([]), atStart: true,
            "The addresses of the proxies, and unix for one that connects by a Unix socket; the client is the rightmost address of the header that is not one of them. With proxy nobody else may connect."
        ),
        Setting(
            "drain_delay", .integer(0...300, .seconds), .value(5),
            "Seconds after SIGTERM in which /readyz says no and new connections are still taken; the process ends up to 24 seconds later."
        ),
        Setting(
            "reload_interval", .integer(0...3600, .seconds), .value(10),
            "Seconds between two looks at whether a file of the configuration has changed, which is then read again as after SIGHUP; 0 is never."
        ),
        Setting(
            "log.level", .choice(Configuration.Log.levels), .value("info"), atStart: true,
            "The least level that is logged: trace, debug, info, notice, warning, error or critical."),
        Setting(
            "log.format", .choice(Configuration.Log.Format.allCases.map(\.rawValue)), .value("auto"), atStart: true,
            "text, json, or auto: text on a terminal and json else."),
    ]
}

extension SettingKind {
    /// A signature algorithm. None of them is symmetric, and `none` is not among them.
    static let algorithm = SettingKind.choice(SignatureAlgorithm.allCases.map(\.rawValue))

    /// What a request object is signed with: a key of ours, or the client secret.
    static let requestObjectAlgorithm = SettingKind.choice(
        SignatureAlgorithm.allCases.map(\.rawValue) + MACAlgorithm.allCases.map(\.rawValue))
}

/// The settings of TLS.
extension SettingTable {
    static let tls: [Setting] = [
        Setting(
            "tls.certificate", .file, .optional,
            "The certificate of this server in PEM, and after it those that lead to its authority; with it and tls.key listen speaks https, and nothing else."
        ),
        Setting(
            "tls.key", .file, .optional,
            "The private key of tls.certificate, in PEM without a password."),
        Setting(
            "tls.more[].certificate", .file, .optional,
            "A certificate for further host names; it is shown to who asks for one of its names, and the first to all others."
        ),
        Setting(
            "tls.more[].key", .file, .optional,
            "The private key of that certificate."),
        Setting(
            "tls.client_certificates", .choice(Configuration.TLS.ClientCertificates.allCases.map(\.rawValue)),
            .value("off"),
            "Whether clients are asked for a certificate: off, optional (a wrong one is refused, none is not) or required."
        ),
        Setting(
            "tls.client_ca", .file, .optional,
            "The authorities of client certificates, in PEM."),
    ]
}
