/// The settings of each broker.
import Brokers

extension SettingTable {
    static let brokers: [Setting] = [
        Setting(
            "brokers.*.kind",
            .choice(Configuration.Broker.Kind.allCases.map(\.rawValue)), .required,
            "How the broker differs from the specification: oidc does not, it is any OpenID provider; signaturgruppen is the Nets eID Broker with MitID; vipps is Vipps MobilePay Login; idura is Idura (Criipto) Verify, where a browser carries the login; digid is DigiD by its app, with a resolver as OneWelcome has it."
        ),
        Setting(
            "brokers.*.issuer", .issuer, .required,
            "The issuer, byte for byte as the broker's discovery document says it, with or without the final slash."),
        Setting(
            "brokers.*.client_id", .word, .required,
            "What the broker calls this server."),
        Setting(
            "brokers.*.client_authentication",
            .choice(Configuration.Broker.Authentication.allCases.map(\.rawValue)), .value("client_secret_basic"),
            "How this server proves who it is: by its client_secret (client_secret_basic, _post or _jwt), by a key in keys.signing (private_key_jwt) or by a certificate (tls_client_auth, self_signed_tls_client_auth)."
        ),
        Setting(
            "brokers.*.client_secret", .text, .optional, secret: true,
            "The secret of the client_secret methods and of HS request objects; better in a variable or its file than here."
        ),
        Setting(
            "brokers.*.basic_encoding", .choice(Configuration.Broker.BasicEncoding.allCases.map(\.rawValue)),
            .optional,
            "How client_secret_basic writes id and secret: form, encoded as RFC 6749 2.3.1 wants it (the default), or raw (the default of kind vipps)."
        ),
        Setting(
            "brokers.*.assertion_audience", .choice(Configuration.Broker.Audience.allCases.map(\.rawValue)),
            .value("issuer"),
            "The audience of the assertion of private_key_jwt and client_secret_jwt: issuer, token_endpoint, or endpoint, the URL that is called (for brokers that want it so at request_style par)."
        ),
        Setting(
            "brokers.*.client_certificate_file", .file, .optional,
            "The certificate, in PEM, that this server shows the broker (RFC 8705); also beside another client_authentication."
        ),
        Setting(
            "brokers.*.client_key_file", .file, .optional,
            "The private key of client_certificate_file, in PEM without a password."),
        Setting(
            "brokers.*.signing_algorithm", .algorithm, .optional,
            "The algorithm of assertions and request objects; without it the usual one of the first signing key."),
        Setting(
            "brokers.*.request_style", .choice(Configuration.Broker.RequestStyle.allCases.map(\.rawValue)),
            .value("plain"),
            "How the authorize request travels: plain in the URL, par pushed to the broker first (RFC 9126), jar as a signed request object (RFC 9101), or par+jar."
        ),
        Setting(
            "brokers.*.request_object_algorithm", .requestObjectAlgorithm, .optional,
            "The algorithm of request objects, where it is another than signing_algorithm; HS256 takes the bytes of client_secret as they stand."
        ),
        Setting(
            "brokers.*.request_object_type", .word, .value("oauth-authz-req+jwt"),
            "The typ of request objects; some brokers want JWT."),
        Setting(
            "brokers.*.response_mode", .choice(Configuration.Broker.ResponseMode.allCases.map(\.rawValue)),
            .value("query"),
            "How the browser brings the answer: query or form_post, or signed (JARM) query.jwt or form_post.jwt; json is for flow launch_links, where there is no browser."
        ),
        Setting(
            "brokers.*.callback", .choice(Configuration.Broker.Callback.allCases.map(\.rawValue)), .value("backend"),
            "Where the broker sends the answer: backend is public_url; app is a link to the app on link_url, which the app hands in; scheme is the same by the return_scheme of the only app, for brokers that take no other."
        ),
        Setting(
            "brokers.*.id_token_algorithms", .list(.algorithm), .value(["RS256", "PS256", "ES256"]),
            "The algorithms that ID tokens and other answers may be signed with."),
        Setting(
            "brokers.*.id_token_encrypted", .boolean, .value(false),
            "Whether ID tokens are encrypted for a key in keys.decryption; one that is not is then refused."),
        Setting(
            "brokers.*.userinfo_format", .choice(Configuration.Broker.UserInfoFormat.allCases.map(\.rawValue)),
            .value("json"),
            "How the userinfo comes: json, signed (a JWT of the broker) or encrypted (that JWT, encrypted for a key in keys.decryption)."
        ),
        Setting(
            "brokers.*.issuer_in_response",
            .choice(Configuration.Broker.IssuerInResponse.allCases.map(\.rawValue)), .value("auto"),
            "Whether answers must name the issuer (RFC 9207): require, success_only, optional, or auto: if the broker says it does."
        ),
        Setting(
            "brokers.*.hosts", .list(.host), .value([]),
            "Hosts of the broker's endpoints besides the issuer's; no other is ever called."),
        Setting(
            "brokers.*.ca_file", .file, .optional,
            "A file with the only certificate authorities to believe, in PEM; without it the system's."),
        Setting(
            "brokers.*.allow_insecure_loopback", .boolean, .value(false),
            "Permits http to loopback addresses, for a broker on this machine."),
        Setting(
            "brokers.*.allow_private_addresses", .boolean, .value(false),
            "Permits https to private and loopback addresses, for a broker in the same network."),
        Setting(
            "brokers.*.merchant_serial_number", .word, .optional,
            "For kind vipps: the number of the sales unit, for the Merchant-Serial-Number header, which helps its support."
        ),
        Setting(
            "brokers.*.headless_grant_type", .word, .value("urn:grn:params:grant-type:headless"),
            "For kind idura: the grant of flow headless, which its documentation spells in two ways."),
        Setting(
            "brokers.*.bankid_link", .issuer, .value("https://app.bankid.com/"),
            "For kind idura: the link that opens the Swedish BankID's app in flow headless."),
        Setting(
            "brokers.*.poll_interval", .integer(0...60, .seconds), .optional,
            "Seconds between two questions to the broker in the flows where it is asked for the answer; without it what the broker says, or 5. With 0 it is asked four times a second."
        ),
        Setting(
            "brokers.*.clock_leeway", .integer(0...300, .seconds), .value(60),
            "Seconds that the broker's clock may differ from ours."),
        Setting(
            "brokers.*.timeout", .integer(1...60, .seconds), .value(10),
            "Seconds that one request to the broker may take."),
    ]
}

/// The settings of brokers of kind digid.
extension SettingTable {
    static let digid: [Setting] = [
        Setting(
            "brokers.*.resolver", .issuer, .optional,
            "For kind digid: the URL of the two-step registration that resolves artifacts; /init and /complete are added."
        ),
        Setting(
            "brokers.*.app_link", .issuer, .value("https://app.digid.nl/digid-app"),
            "For kind digid: the link that opens DigiD's app; no other is opened."),
        Setting(
            "brokers.*.authn_context", .choice(DigiDLevel.allCases.map(\.rawValue)), .value("midden"),
            "For kind digid: the level that is asked for, and below which a login fails as assurance_too_low: basis, midden, substantieel or hoog."
        ),
        Setting(
            "brokers.*.subject_claim", .word, .value("profile_id"),
            "For kind digid: the member of the resolver's answer that names the person."),
        Setting(
            "brokers.*.entity_id", .word, .optional,
            "For kind digid: the service's name at DigiD, where this server signs the requests with an RSA key in keys.signing; without it the resolver makes them."
        ),
        Setting(
            "brokers.*.destination", .issuer, .optional,
            "For kind digid: DigiD's address for requests, from its metadata; goes with entity_id."),
        Setting(
            "brokers.*.icon_url", .issuer, .optional,
            "For kind digid: the image that DigiD's app shows, on the domain of link_url; goes with entity_id."),
        Setting(
            "brokers.*.acs_index", .integer(0...65_535, .none), .optional,
            "For kind digid: which of the registered addresses for answers is meant; with entity_id, this or acs_url."),
        Setting(
            "brokers.*.acs_url", .issuer, .optional,
            "For kind digid: the registered address for answers itself; with entity_id, this or acs_index."),
        Setting(
            "brokers.*.test_host", .host, .optional,
            "For kind digid, only in tests: the host of DigiD that its app is told to use; then an artifact demo goes to the resolver too."
        ),
    ]
}
