/// What Signaturgruppen's broker is asked for a provider, and what its responses must then say.
package struct SignaturgruppenOptions: ProviderOptions {
    /// The minimum level of authentication (`aal`) alone, and of identification (`ial`).
    package var minimumAuthenticationAssurance = Assurance.none
    package var minimumIdentityAssurance = Assurance.none
    /// The e-IDs that may be used, the best first.
    package var idpValues: [String] = []
    /// What the e-ID's app shows beside the service's name.
    package var referenceText: String?

    package init() {}

    package init(_ values: some OptionValues) {
        self.minimumAuthenticationAssurance = values.choice("minimum_aal") ?? .none
        self.minimumIdentityAssurance = values.choice("minimum_ial") ?? .none
        self.idpValues = values.list("idp_values") ?? []
        self.referenceText = values.text("reference_text")
    }

    private static let levels = KindOption.Format.choice(Assurance.allCases.map(\.rawValue))
    private static let noLevel = KindOption.Presence.text(Assurance.none.rawValue)

    package static let settings = [
        KindOption(
            "minimum_aal", Self.levels, Self.noLevel, after: "minimum_assurance",
            "For kind signaturgruppen: the lowest accepted level of the authentication (aal). A login below it fails as assurance_too_low."
        ),
        KindOption(
            "minimum_ial", Self.levels, Self.noLevel, after: "minimum_assurance",
            "For kind signaturgruppen: the lowest accepted level of the identification (ial). A login below it fails as assurance_too_low."
        ),
        KindOption(
            "idp_values", .words, .list([]), after: "amr_values",
            "For kind signaturgruppen: the e-IDs that the user may use, as in [mitid]. The ID token must then name one of them."
        ),
        KindOption(
            "reference_text", .text, .optional, after: "amr_values", limit: 130,
            "For kind signaturgruppen: what the MitID app shows next to the name of the service, at most 130 characters."
        ),
    ]
}

// MARK: - The rules between settings

extension Signaturgruppen {
    package static func problems(of provider: some OptionValues) -> [KindProblem] {
        guard provider.boolean("userinfo") == false else { return [] }
        return [
            KindProblem(.provider, "userinfo", "must be true: this broker's ID tokens do not identify the user")
        ]
    }

    /// The ID token is checked against them, but the request of flow ciba cannot contain them.
    package static func problems(
        of provider: some OptionValues, with flow: Provider.Flow, at broker: (some OptionValues)?
    ) -> [KindProblem] {
        let unsent = [
            ("acr_values", provider.list("acr_values")?.isEmpty == false),
            ("max_age", provider.integer("max_age") != nil),
            ("claims_parameter", provider.text("claims_parameter") != nil),
        ]
        return unsent.filter(\.1).map { name, _ in
            KindProblem(
                .provider, name,
                "is not sent in flow ciba, so the broker may not do what it says. Remove it, or use flow browser",
                isWarning: true)
        }
    }
}
