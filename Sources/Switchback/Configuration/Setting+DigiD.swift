/// The settings of brokers of kind digid.
import Brokers

extension Setting {
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
