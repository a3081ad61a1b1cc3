// All flows of all systems.
import EndToEndSupport

extension SystemFlow {
    private static let level = "https://data.gov.dk/concept/core/nsis/Substantial"
    private static let grn = "urn:grn:authn:"
    private static let mitID = Expected(
        eid: "mitid", country: "DK", assurance: "substantial", acr: Self.level, nationalIDType: "dk:cpr")
    private static let netsSettings =
        ", prompt: login, eid: mitid, countries: [DK], scope: [openid, mitid, ssn], idp_values: [mitid], "
        + "minimum_assurance: substantial, national_id_claim: dk.cpr, national_id_type: \"dk:cpr\""
    private static let bankID = Expected(
        eid: "se_bankid", country: "SE", assurance: "substantial", acr: grn + "se:bankid",
        name: "Elin Nordstråle", givenName: "Elin", birthDate: "2001-02-28")
    private static let bankIDSettings = ", eid: se_bankid, countries: [SE], assurance: substantial"

    private static let vipps = Expected(
        eid: "vipps", country: "NO", assurance: "substantial", acr: "urn:sandbox:acr:substantial", givenName: "Freja")

    static let all: [SystemFlow] = [
        SystemFlow(
            name: "oidc", system: .oidc, variant: .formPost, settings: ", prompt: login, countries: [DK]",
            identity: Expected(
                eid: BrokerVariant.formPost.name, country: "DK", assurance: "substantial",
                acr: "urn:sandbox:acr:substantial", givenName: "Freja")),
        SystemFlow(
            name: "signaturgruppen", system: .signaturgruppen,
            variant: BrokerVariant(
                kind: "signaturgruppen", responseMode: "form_post", requestStyle: "par+jar", signingAlgorithm: "PS256"),
            settings: netsSettings, identity: mitID),
        SystemFlow(
            name: "signaturgruppen ciba", system: .signaturgruppen,
            variant: BrokerVariant(kind: "signaturgruppen", authentication: "private_key_jwt"),
            settings: netsSettings + ", flow: ciba", identity: mitID),
        SystemFlow(
            name: "idura mitid", system: .idura, variant: BrokerVariant(kind: "idura", responseMode: "form_post"),
            settings: ", prompt: login, eid: mitid, countries: [DK], acr_values: [\"\(grn)dk:mitid:substantial\"]",
            identity: Expected(
                eid: "mitid", country: "DK", assurance: "substantial", acr: grn + "dk:mitid:substantial",
                givenName: "Freja")),
        SystemFlow(
            name: "idura mitid by a link", system: .idura, variant: BrokerVariant(kind: "idura", callback: "app"),
            settings: ", prompt: login, eid: mitid, countries: [DK], acr_values: [\"\(grn)dk:mitid:high\"]",
            identity: Expected(
                eid: "mitid", country: "DK", assurance: "high", acr: grn + "dk:mitid:high", givenName: "Freja")),
        SystemFlow(
            name: "idura mitid by a scheme", system: .idura, variant: BrokerVariant(kind: "idura", callback: "scheme"),
            settings: ", prompt: login, eid: mitid, countries: [DK], acr_values: [\"\(grn)dk:mitid:low\"]",
            app: "return_prefixes: [\"\(RunningServer.returnPrefix)\"], return_scheme: com.example.demo, "
                + "proof_over_scheme: true",
            identity: Expected(
                eid: "mitid", country: "DK", assurance: "low", acr: grn + "dk:mitid:low", givenName: "Freja")),
        SystemFlow(
            name: "idura bankid", system: .idura, variant: BrokerVariant(kind: "idura"),
            settings: bankIDSettings + ", prompt: login, acr_values: [\"\(grn)se:bankid\"]", person: "elin",
            identity: bankID),
        SystemFlow(
            name: "idura bankid launch links", system: .idura,
            variant: BrokerVariant(kind: "idura", responseMode: "json"),
            settings: bankIDSettings
                + ", prompt: login, flow: launch_links, acr_values: [\"\(grn)se:bankid:same-device\"]",
            release: "immediate", person: "elin",
            identity: Expected(
                eid: "se_bankid", country: "SE", assurance: "substantial", acr: grn + "se:bankid:same-device",
                name: "Elin Nordstråle", givenName: "Elin", birthDate: "2001-02-28")),
        SystemFlow(
            name: "idura bankid headless", system: .idura, variant: BrokerVariant(kind: "idura"),
            settings: bankIDSettings + ", flow: headless, acr_values: [\"\(grn)se:bankid\"]", release: "immediate",
            person: "elin", identity: bankID),
        SystemFlow(
            name: "vipps app_to_app", system: .vipps, variant: BrokerVariant(kind: "vipps"),
            settings: ", prompt: login, eid: vipps, countries: [NO], scope: [openid, name, birthDate]",
            identity: Self.vipps),
        SystemFlow(
            name: "vipps app_to_app_v2", system: .vipps, variant: BrokerVariant(kind: "vipps", callback: "app"),
            settings: ", prompt: login, eid: vipps, countries: [NO], scope: [openid, name, birthDate]",
            identity: Self.vipps),
        SystemFlow(
            name: "digid", system: .digid, variant: DigiDLoginTests.own,
            settings: ", national_id_claim: bsn, national_id_type: \"nl:bsn\"",
            identity: Expected(
                eid: "digid", country: "NL", assurance: "low",
                acr: "urn:oasis:names:tc:SAML:2.0:ac:classes:MobileTwoFactorContract", name: nil, birthDate: nil,
                nationalIDType: "nl:bsn")),
    ]
}
