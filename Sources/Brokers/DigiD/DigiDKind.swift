import OpenIDConnect

/// `kind: digid`, as a configuration names it.
package enum DigiDKind: ConfigurableKind {
    package static let name = "digid"
    package static let summary = "DigiD by its app, with a resolver such as OneWelcome's"
    package static let portal: String? = "https://www.logius.nl"

    package static let settings = [
        KindOption(
            "resolver", .url, .required,
            "For kind digid: the URL of the two-step registration that resolves artifacts. The server adds /init and /complete."
        ),
        KindOption(
            "app_link", .url, .text("https://app.digid.nl/digid-app"), isRefusedElsewhere: false,
            "For kind digid: the link that opens DigiD's app. Apps open no other link, unless app_links lists it."),
        KindOption(
            "app_links", .urls, .list([]),
            "For kind digid: other apps that the resolver may open in place of DigiD's, each by its host, as in https://app.bank.example, or by its host and the beginning of the path. A link to any other app is refused, and the log has init_link_elsewhere."
        ),
        KindOption(
            "artifact_parameter", .word, .text(ThirdPartyApps.usualParameter),
            "For kind digid with app_links: the parameter in which such an app brings the artifact back, as in ?artefactId=…. DigiD's app has app-app in its place."
        ),
        KindOption(
            "artifact_proof", .choice(ThirdPartyApps.Proof.allCases.map(\.rawValue)),
            .text(ThirdPartyApps.Proof.callbackLink.rawValue),
            "For kind digid with app_links: what the return from such an app proves. With callback_link the resolver's init names the id of its request (requestId), and complete returns it (inResponseTo), read in the app's signed answer. With none it proves nothing, and every app with such a provider needs release: immediate."
        ),
        KindOption(
            "authn_context", .choice(DigiDLevel.allCases.map(\.rawValue)), .text(DigiDLevel.midden.rawValue),
            isRefusedElsewhere: false,
            "For kind digid: the level to request: basis, midden, substantieel or hoog. A login below it fails as assurance_too_low."
        ),
        KindOption(
            "subject_claim", .word, .text("profile_id"), isRefusedElsewhere: false,
            "For kind digid: the member of the resolver's response that identifies the user. If it is a national number, as bsn, the server needs keys.person, and the subject is an HMAC of the number."
        ),
        KindOption(
            "entity_id", .word, .optional,
            "For kind digid: the service's name at DigiD, if this server signs the requests with an RSA key in keys.signing. Without it the resolver makes the requests."
        ),
        KindOption(
            "destination", .url, .optional,
            "For kind digid: DigiD's URL for requests, from its metadata. It is required with entity_id."),
        KindOption(
            "icon_url", .url, .optional,
            "For kind digid: the image that DigiD's app shows, on the domain of link_url. It is required with entity_id."
        ),
        KindOption(
            "acs_index", .integer(0...65_535), .optional,
            "For kind digid: the index of the registered address for responses. entity_id requires this or acs_url."),
        KindOption(
            "acs_url", .url, .optional,
            "For kind digid: the registered address for responses. entity_id requires this or acs_index."),
        KindOption(
            "test_host", .host, .optional,
            "For kind digid, only for tests: the host of DigiD that its app uses. The server then also sends the artifact demo to the resolver."
        ),
    ]
}
