import OpenIDConnect

/// What an e-ID's app shows in a login at Idura.
package struct IduraOptions: ProviderOptions {
    package var message: String?
    /// The e-ID's word for what the user does.
    package var action: String?

    package init() {}

    package init(_ values: some OptionValues) {
        self.message = values.text("message")
        self.action = values.text("action")
    }

    package static let settings = [
        KindOption(
            "message", .text, .optional, after: "amr_values", limit: 130,
            "For kind idura: what the e-ID's app shows. MitID accepts at most 130 characters."),
        KindOption(
            "action", .choice(["login", "confirm", "accept", "approve"]), .optional, after: "amr_values",
            "For kind idura: the word that the e-ID uses for what the user does."),
    ]
}

// MARK: - The rules between settings

extension Idura {
    /// Its flows without a browser are those of Swedish BankID.
    package static func problems(
        of provider: some OptionValues, with flow: Provider.Flow, at broker: (some OptionValues)?
    ) -> [KindProblem] {
        let contextClass = "urn:grn:authn:se:bankid" + (flow == .launchLinks ? ":same-device" : "")
        var problems: [KindProblem] = []
        if provider.list("acr_values") != [contextClass] {
            problems.append(
                KindProblem(.provider, "acr_values", "must be [\"\(contextClass)\"] for flow \(flow.rawValue)"))
        }
        if flow == .launchLinks, let mode: Client.ResponseMode = broker?.choice("response_mode"), mode != .json,
            mode != .query
        {
            problems.append(
                KindProblem(
                    .broker, "response_mode", "must be json or query for the flow launch_links of \(provider.place)"))
        }
        return problems
    }
}
