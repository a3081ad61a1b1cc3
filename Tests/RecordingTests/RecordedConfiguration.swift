/// The configurations of the recorded servers.
enum RecordedConfiguration {
    static let apiKey = "0123456789abcdefghijklmnopqrstuvwxyz-ABCDEF"
    /// Of the app with sessions.
    static let walletKey = "9876543210abcdefghijklmnopqrstuvwxyz-ABCDEF"

    /// The settings of a broker at the played provider.
    private static func broker(_ name: String, _ more: String) -> String {
        "  \(name): {issuer: \"\(PlayedBroker.origin)/\(name)\", client_id: switchback, "
            + "allow_insecure_loopback: true, id_token_algorithms: [ES256], \(more)}"
    }

    private static let secret = "client_secret: hunter2-hunter2-hunter2-hunter2"

    /// Three apps, a broker of each kind that needs only a browser, sessions, links and pages of other origins.
    static let full = """
        link_url: https://link.example.com
        store: sqlite
        poll: {wait: 5}
        limits:
          create_per_address_per_minute: 0
          create_per_app_per_minute: 0
          broker_calls_per_address_per_minute: 0
        keys:
          signing: [{file: signing.pem}]
          assertion: [{file: assertion.pem}]
          access: [{file: access.pem}]
          session: [{file: session.key}]
          person: person.key
        apps:
          shop:
            name: {en: Shop, da: Butikken}
            default: true
            release: return_link
            return_prefixes: ["https://link.example.com/r/", "com.example.shop:/r/"]
            return_scheme: com.example.shop
            origins: [https://www.example.com]
            ios: {app_ids: [ABCDE12345.com.example.shop]}
            android: [{package: com.example.shop, sha256_cert_fingerprints: ["\(fingerprint)"]}]
            look: {accent: "#14532d", support_url: "https://www.example.com/help"}
            assertion_claims: [name, birth_date]
            api_key: "\(apiKey)"
            providers: [eid, plain, post, jar, par, vipps, idura, nets]
          wallet:
            name: Wallet
            release: return_link
            return_prefixes: ["https://link.example.com/w/"]
            session: unlock
            session_audience: https://api.example.com
            session_by_code: true
            api_key: "\(walletKey)"
          kiosk:
            name: Kiosk
            release: immediate
            session: access
            session_audience: https://kiosk.example.com
            bearer: true
            return_prefixes: ["https://link.example.com/k/"]
        brokers:
        \(broker("main", "kind: oidc, \(secret)"))
        \(broker("post", "kind: oidc, client_authentication: client_secret_post, response_mode: form_post, \(secret)"))
        \(broker("jar", "kind: oidc, client_authentication: private_key_jwt, request_style: jar"))
        \(broker("par", "kind: oidc, client_authentication: private_key_jwt, request_style: par"))
        \(broker("vipps", "kind: vipps, \(secret)"))
        \(broker("idura", "kind: idura, \(secret)"))
        \(broker("nets", "kind: signaturgruppen, \(secret)"))
        providers:
          eid:
            {broker: main, names: {en: e-ID, da: e-ID på dansk}, prompt: login, session: unlock, claims: [hair],
             countries: [DK], parameters: [market]}
          plain: {broker: main, names: Plain, prompt: login, userinfo: false, minimum_assurance: high}
          post: {broker: post, names: Post, prompt: login, acr_values: [high]}
          jar: {broker: jar, names: Jar, prompt: login}
          par: {broker: par, names: Par, prompt: login, authorize: direct}
          vipps: {broker: vipps, names: Vipps, prompt: login}
          idura: {broker: idura, names: Idura, prompt: login, message: Log in to Shop}
          nets: {broker: nets, names: MitID, prompt: login, reference_text: Log in to Shop}
        """

    /// One app without links and sessions, and limits that are soon reached.
    static let small = """
        store: sqlite
        limits: {create_per_address_per_minute: 2, broker_calls_per_address_per_minute: 1, body: 2000, head: 4000}
        apps:
          shop: {name: Shop, release: code}
        brokers:
        \(broker("main", "kind: oidc, \(secret)"))
        providers:
          eid: {broker: main, names: e-ID, prompt: login}
        """

    private static let fingerprint = Array(repeating: "0A", count: 32).joined(separator: ":")
}
