// What each provider's settings ask of the broker.
//
// None of these members is required, and some may be incomplete (Discovery 1.0, 3). So one that is absent says nothing,
// and only what the broker must refuse is an error.

import Brokers

extension FeatureFindings {
    func add(_ provider: Provider, to list: inout FindingList) {
        self.addFlow(of: provider, to: &list)
        self.addScope(of: provider, to: &list)
        self.addContextClasses(of: provider, to: &list)
        self.addFreshness(of: provider, to: &list)
        self.addClaims(of: provider, to: &list)
    }

    private func setting(_ name: String, of provider: Provider) -> String { "providers.\(provider.id).\(name)" }

    private func addFlow(of provider: Provider, to list: inout FindingList) {
        guard let offeredGrants = self.list("grant_types_supported") else { return }
        guard let grant = self.broker.openID?.grantType(of: provider.flow), !offeredGrants.contains(grant) else {
            return
        }
        list.warn(
            self.setting("flow", of: provider),
            "\(provider.flow.rawValue) needs the grant type \(grant), which is not in grant_types_supported")
    }

    private func addScope(of provider: Provider, to list: inout FindingList) {
        guard let offeredScopes = self.list("scopes_supported") else { return }
        let unknown = provider.scope.filter { !offeredScopes.contains($0) }
        guard !unknown.isEmpty else { return }
        list.warn(
            self.setting("scope", of: provider),
            "\(unknown.joined(separator: ", ")) is not in scopes_supported: ask the broker, or remove it")
    }

    /// The ID token must name one of them.
    private func addContextClasses(of provider: Provider, to list: inout FindingList) {
        guard !provider.acrValues.isEmpty, let offeredClasses = self.list("acr_values_supported") else { return }
        guard provider.acrValues.allSatisfy({ !offeredClasses.contains($0) }) else { return }
        list.warn(
            self.setting("acr_values", of: provider),
            "\(provider.acrValues.joined(separator: ", ")) is not in acr_values_supported, which has \(offeredClasses.joined(separator: ", "))"
        )
    }

    /// Initiating User Registration 1.0 §4.1: the broker should refuse a prompt that is not in its list.
    private func addFreshness(of provider: Provider, to list: inout FindingList) {
        let prompts = provider.prompt?.split(separator: " ").map(String.init) ?? []
        if let offeredPrompts = self.list("prompt_values_supported"),
            let other = prompts.first(where: { !offeredPrompts.contains($0) })
        {
            list.fail(
                self.setting("prompt", of: provider),
                "\(other) is not in prompt_values_supported, which has \(offeredPrompts.joined(separator: ", "))")
        }
        guard provider.demandsAuthTime, let claims = self.list("claims_supported") else { return }
        let setting = self.setting(provider.demandsFreshLogin ? "prompt" : "max_age", of: provider)
        if claims.contains("auth_time") {
            list.pass(setting, "the broker can send auth_time")
        } else {
            list.warn(
                setting,
                "auth_time is not in claims_supported, and an ID token without it is refused: have the broker send it, or leave out prompt and max_age"
            )
        }
    }

    private func addClaims(of provider: Provider, to list: inout FindingList) {
        if provider.claimsRequest != nil, !self.metadata.claimsParameterSupported {
            list.warn(
                self.setting("claims_parameter", of: provider),
                "claims_parameter_supported is not true, so the broker may ignore it: ask the broker")
        }
        guard let offeredClaims = self.list("claims_supported") else { return }
        let wantedClaims =
            provider.claims.map { ("claims", $0) }
            + [("national_id_claim", provider.nationalID?.claim), ("person.claim", provider.person?.claim)]
            .compactMap { name, claim in claim.map { (name, $0) } }
        for (name, claim) in wantedClaims where !offeredClaims.contains(claim) {
            list.warn(
                self.setting(name, of: provider),
                "\(claim) is not in claims_supported: ask the broker which scope or setting brings it")
        }
    }
}
