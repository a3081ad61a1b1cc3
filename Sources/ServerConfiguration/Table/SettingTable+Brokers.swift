// The settings of each broker.

import Brokers

extension SettingTable {
    static let brokers: [Setting<SettingValue>] = [
        Setting(
            "brokers.*.kind",
            .choice(Configuration.Broker.Kind.allCases.map(\.rawValue)), .required,
            "The kind of the broker: oidc is any OpenID provider; signaturgruppen is the Nets eID Broker with MitID; vipps is Vipps MobilePay Login; idura is Idura (Criipto) Verify; digid is DigiD by its app, with a resolver such as OneWelcome's."
        ),
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
            "brokers.*.merchant_serial_number", .word, .optional,
            "For kind vipps: the number of the sales unit. The server sends it as Merchant-Serial-Number, which helps the support of Vipps MobilePay."
        ),
        Setting(
            "brokers.*.headless_grant_type", .word, .value("urn:grn:params:grant-type:headless"),
            "For kind idura: the grant type of flow headless. Its documentation has two spellings; change it if the broker refuses this one."
        ),
        Setting(
            "brokers.*.bankid_link", .issuer, .value("https://app.bankid.com/"),
            "For kind idura: the link that opens the app of Swedish BankID in flow headless."),
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
    ]
}

/// The settings of brokers of kind digid.
extension SettingTable {
    static let digid: [Setting<SettingValue>] = [
        Setting(
            "brokers.*.resolver", .issuer, .optional,
            "For kind digid: the URL of the two-step registration that resolves artifacts. The server adds /init and /complete."
        ),
        Setting(
            "brokers.*.app_link", .issuer, .value("https://app.digid.nl/digid-app"),
            "For kind digid: the link that opens DigiD's app. Apps open no other link, unless app_links lists it."),
        Setting(
            "brokers.*.app_links", .list(.issuer), .value([]),
            "For kind digid: other apps that the resolver may open in place of DigiD's, each by its host, as in https://app.bank.example, or by its host and the beginning of the path. A link to any other app is refused, and the log has init_link_elsewhere."
        ),
        Setting(
            "brokers.*.artifact_parameter", .word, .value(.text(ThirdPartyApps.usualParameter)),
            "For kind digid with app_links: the parameter in which such an app brings the artifact back, as in ?artefactId=…. DigiD's app has app-app in its place."
        ),
        Setting(
            "brokers.*.artifact_proof", .choice(ThirdPartyApps.Proof.allCases.map(\.rawValue)),
            .value("callback_link"),
            "For kind digid with app_links: what the return from such an app proves. With callback_link the resolver's init names the id of its request (requestId), and complete returns it (inResponseTo), read in the app's signed answer. With none it proves nothing, and every app with such a provider needs release: immediate."
        ),
        Setting(
            "brokers.*.authn_context", .choice(DigiDLevel.allCases.map(\.rawValue)), .value("midden"),
            "For kind digid: the level to request: basis, midden, substantieel or hoog. A login below it fails as assurance_too_low."
        ),
        Setting(
            "brokers.*.subject_claim", .word, .value("profile_id"),
            "For kind digid: the member of the resolver's response that identifies the user. If it is a national number, as bsn, the server needs keys.person, and the subject is an HMAC of the number."
        ),
        Setting(
            "brokers.*.entity_id", .word, .optional,
            "For kind digid: the service's name at DigiD, if this server signs the requests with an RSA key in keys.signing. Without it the resolver makes the requests."
        ),
        Setting(
            "brokers.*.destination", .issuer, .optional,
            "For kind digid: DigiD's URL for requests, from its metadata. It is required with entity_id."),
        Setting(
            "brokers.*.icon_url", .issuer, .optional,
            "For kind digid: the image that DigiD's app shows, on the domain of link_url. It is required with entity_id."
        ),
        Setting(
            "brokers.*.acs_index", .integer(0...65_535, .none), .optional,
            "For kind digid: the index of the registered address for responses. entity_id requires this or acs_url."),
        Setting(
            "brokers.*.acs_url", .issuer, .optional,
            "For kind digid: the registered address for responses. entity_id requires this or acs_index."),
        Setting(
            "brokers.*.test_host", .host, .optional,
            "For kind digid, only for tests: the host of DigiD that its app uses. The server then also sends the artifact demo to the resolver."
        ),
    ]
}
