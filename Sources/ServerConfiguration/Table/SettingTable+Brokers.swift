// The settings of each broker.

import Brokers

extension SettingTable {
    static let brokers: [Setting<SettingValue>] = [
        Setting(
            "brokers.*.kind",
            .choice(KnownKind.all.map(\.rawValue)), .required, KnownKind.explanation),
        Setting(
            "brokers.*.issuer", .issuer, .required,
            "The issuer, byte for byte as in the broker's discovery document, with or without the final slash."),
        Setting(
            "brokers.*.client_id", .word, .required,
            "The client id of this server at the broker."),
        Setting(
            "brokers.*.client_authentication",
            .choice(Configuration.Broker.Authentication.allCases.map(\.rawValue)), .value("client_secret_basic"),
            "How this server authenticates to the broker: with its client_secret (client_secret_basic, _post or _jwt), with a key in keys.signing (private_key_jwt) or with a certificate (tls_client_auth, self_signed_tls_client_auth)."
        ),
        Setting(
            "brokers.*.client_secret", .text, .optional, secret: true,
            "The secret for the client_secret methods and for HS request objects. Set it with a variable or its file rather than here."
        ),
        Setting(
            "brokers.*.basic_encoding", .choice(Configuration.Broker.BasicEncoding.allCases.map(\.rawValue)),
            .optional,
            "How client_secret_basic encodes id and secret: form, as in RFC 6749 2.3.1 (the default), or raw (the default of kind vipps)."
        ),
        Setting(
            "brokers.*.assertion_audience", .choice(Configuration.Broker.Audience.allCases.map(\.rawValue)),
            .value("issuer"),
            "The audience of client assertions (private_key_jwt and client_secret_jwt): issuer, token_endpoint, or endpoint, which is the URL of the request. Use endpoint for brokers that require it with request_style par."
        ),
        Setting(
            "brokers.*.client_certificate_file", .file, .optional,
            "The certificate, in PEM, that this server sends to the broker (RFC 8705). It may accompany any client_authentication."
        ),
        Setting(
            "brokers.*.client_key_file", .file, .optional,
            "The private key of client_certificate_file, in PEM without a password."),
        Setting(
            "brokers.*.signing_algorithm", .algorithm, .optional,
            "The algorithm of client assertions and request objects. Without it the server uses the usual one for the first signing key."
        ),
        Setting(
            "brokers.*.request_style", .choice(Configuration.Broker.RequestStyle.allCases.map(\.rawValue)),
            .value("plain"),
            "How the server sends the authorization request: plain in the URL, par pushed to the broker first (RFC 9126), jar as a signed request object (RFC 9101), or par+jar."
        ),
        Setting(
            "brokers.*.request_object_algorithm", .requestObjectAlgorithm, .optional,
            "The algorithm of request objects, if it differs from signing_algorithm. HS256 uses the bytes of client_secret unchanged."
        ),
        Setting(
            "brokers.*.request_object_type", .word, .value("oauth-authz-req+jwt"),
            "The typ of request objects. Some brokers require JWT."),
        Setting(
            "brokers.*.ui_locales", .boolean, .value(true),
            "Whether requests name the user's languages (ui_locales). Some brokers refuse parameters that they do not know."
        ),
        Setting(
            "brokers.*.response_mode", .choice(Configuration.Broker.ResponseMode.allCases.map(\.rawValue)),
            .value("query"),
            "How the browser brings the response: query or form_post, or signed (JARM) query.jwt or form_post.jwt. json is for flow launch_links, which has no browser."
        ),
        Setting(
            "brokers.*.callback", .choice(Configuration.Broker.Callback.allCases.map(\.rawValue)), .value("backend"),
            "Where the broker sends the response: backend is public_url; app is a link to the app on link_url, which the app forwards; scheme is the same with the return_scheme of the only app, for brokers that accept nothing else."
        ),
        Setting(
            "brokers.*.id_token_algorithms", .list(.algorithm), .value(["RS256", "PS256", "ES256"]),
            "The algorithms that may sign ID tokens and other responses."),
        Setting(
            "brokers.*.id_token_encrypted", .boolean, .value(false),
            "Whether the broker encrypts ID tokens for a key in keys.decryption. The server then refuses those that are not encrypted."
        ),
        Setting(
            "brokers.*.userinfo_format", .choice(Configuration.Broker.UserInfoFormat.allCases.map(\.rawValue)),
            .value("json"),
            "The format of userinfo responses: json, signed (a JWT of the broker) or encrypted (such a JWT, encrypted for a key in keys.decryption)."
        ),
        Setting(
            "brokers.*.issuer_in_response",
            .choice(Configuration.Broker.IssuerInResponse.allCases.map(\.rawValue)), .value("auto"),
            "Whether responses must name the issuer (RFC 9207): require; success_only, in responses with a code; optional; or auto, which requires it if the broker's discovery promises it (kind signaturgruppen: in responses with a code). A wrong issuer is always refused."
        ),
        Setting(
            "brokers.*.trusted_audiences", .list(.word), .value([]),
            "Other parties that may be in the audience of the broker's ID tokens and signed userinfo, as in Zitadel's project id: compared as they are written, without patterns. aud must then contain client_id, and azp must name it. Without an entry such a token is refused."
        ),
        Setting(
            "brokers.*.hosts", .list(.host), .value([]),
            "The hosts of the broker's endpoints, besides the issuer's host. The server never calls any other host."),
        Setting(
            "brokers.*.ca_file", .file, .optional,
            "A file with the only certificate authorities to trust, in PEM. Without it the server trusts those of the system."
        ),
        Setting(
            "brokers.*.allow_insecure_loopback", .boolean, .value(false),
            "Allows http to loopback addresses, for a broker on this machine."),
        Setting(
            "brokers.*.allow_private_addresses", .boolean, .value(false),
            "Allows https to private and loopback addresses, for a broker in the same network."),
        Setting(
            "brokers.*.poll_interval", .integer(0...60, .seconds), .optional,
            "Seconds between two requests to the broker in flows that poll it for the result. Without it the broker's own interval applies, or 5 if it names none; with 0 the server asks four times a second."
        ),
        Setting(
            "brokers.*.clock_leeway", .integer(0...300, .seconds), .value(60),
            "Seconds that the broker's clock may differ from the clock of this server."),
        Setting(
            "brokers.*.timeout", .integer(1...60, .seconds), .value(10),
            "Seconds that one request to the broker may take."),
        Setting(
            "brokers.*.send_traceparent", .boolean, .value(false),
            "Whether requests to the broker say in which trace they are (traceparent and tracestate of W3C Trace Context), so that the broker's traces can be connected with ours. It needs tracing.endpoint."
        ),
    ]
}

/// The settings that only one kind of broker reads. Each kind declares its own.
extension SettingTable {
    /// Returns the settings with these options of kinds among them, each at its place.
    static func with(_ options: [KindOption], of scope: String, in settings: [Setting<SettingValue>])
        -> [Setting<SettingValue>]
    {
        let settingNames = Set(settings.map(\.row.pattern.description))
        let isPlaced = { (option: KindOption) in option.place.map { settingNames.contains("\(scope).\($0)") } ?? false }
        let placed = settings.flatMap { setting in
            [setting]
                + options.filter { "\(scope).\($0.place ?? "")" == setting.row.pattern.description }
                .map { Setting($0, of: scope) }
        }
        return placed + options.filter { !isPlaced($0) }.map { Setting($0, of: scope) }
    }
}

extension Setting where Value == SettingValue {
    fileprivate init(_ option: KindOption, of scope: String) {
        let presence: SettingRow.Presence =
            switch option.presence {
            // Other kinds do not have it. A rule requires it of its own.
            case .required, .optional: .optional
            case .text(let text): .value(.text(text))
            case .list(let items): .value(.list(items))
            }
        self.init("\(scope).\(option.name)", SettingKind(option.format), presence, option.explanation)
    }
}

extension SettingKind {
    fileprivate init(_ format: KindOption.Format) {
        self =
            switch format {
            case .text: .text
            case .word: .word
            case .host: .host
            case .url: .issuer
            case .choice(let words): .choice(words)
            case .integer(let range): .integer(range, .none)
            case .words: .list(.word)
            case .urls: .list(.issuer)
            }
    }
}
