// The rules for namespaces, and for the claims that identify users.

import Base

extension ConfigurationValidator {
    /// The standard claims (Core 5.1) except `sub`, and the claims of the token itself. They change, are shared, or are
    /// typed by the user (Core 5.7).
    private static let namesNobody: Set<String> = [
        "name", "given_name", "family_name", "middle_name", "nickname", "preferred_username", "profile", "picture",
        "website", "email", "email_verified", "gender", "birthdate", "zoneinfo", "locale", "phone_number",
        "phone_number_verified", "address", "updated_at", "country", "iss", "aud", "azp", "exp", "iat", "nbf", "jti",
        "nonce", "acr", "amr", "auth_time", "at_hash", "c_hash", "s_hash", "sid", "idp", "loa", "aal", "ial",
    ]

    mutating func check(namespace: SettingScope) {
        guard let brokerNames = namespace.list("brokers") else { return }
        let brokers = self.settings.scopes("brokers").map(\.name)
        if brokerNames.isEmpty { self.report(namespace, "brokers", "must name at least one broker") }
        for name in brokerNames where !brokers.contains(name) {
            let nearest = SpellingSuggestion.suggestion(for: name, in: brokers)
            self.report(namespace, "brokers", "there is no broker \"\(name)\"\(nearest)")
        }
        self.checkClaims(of: namespace)
    }

    /// Two claims of one broker have different meanings, and equal values in them need not be the same user.
    private mutating func checkClaims(of namespace: SettingScope) {
        var claims: [String: String] = [:]
        for provider in self.settings.scopes("providers") where provider.text("person.namespace") == namespace.name {
            guard let broker = provider.text("broker"), let claim = provider.text("person.claim") else { continue }
            guard let other = claims[broker], other != claim else {
                claims[broker] = claim
                continue
            }
            self.warn(
                provider, "person.claim",
                "is \(claim), but another provider of broker \(broker) has \(other) in the same namespace. A user then has two accounts, and two users may share one. Use the same claim"
            )
        }
    }

    mutating func checkPerson(of provider: SettingScope) {
        let (namespace, claim) = (provider.text("person.namespace"), provider.text("person.claim"))
        if namespace != nil, claim == nil {
            self.report(provider, "person.claim", "is required for person.namespace")
        }
        if claim != nil, namespace == nil {
            self.report(provider, "person.namespace", "is required for person.claim")
        }
        if let namespace { self.check(namespace, of: provider) }
        guard let claim else { return }
        if Self.namesNobody.contains(claim) {
            self.report(
                provider, "person.claim",
                "must not be \(claim), which may change or belong to several users (OpenID Connect Core 5.7). Use the e-ID's own identifier of the user"
            )
        }
        self.checkNumber(claim, of: provider, in: namespace)
    }

    /// A hash of a national number is undone by trying all of them.
    private mutating func checkNumber(_ claim: String, of provider: SettingScope, in namespace: String?) {
        guard claim == provider.text("national_id_claim") || NationalNumberClaim.isOne(claim),
            let namespace = self.settings.scopes("namespaces").first(where: { $0.name == namespace }),
            namespace.boolean("keyed") == false
        else { return }
        self.report(
            provider, "person.claim",
            "is a national number, and anyone who has a sub could find the number by trying all of them. Set \(namespace.path).keyed to true, or use another claim"
        )
    }

    /// The key that names people by their numbers. It must be there before the first of them logs in.
    mutating func checkPersonKey() {
        let keys = self.settings.server.keys
        let isThere = keys.isGiven(\.person)
        let advice =
            "Make one with `switchback keys generate person`, and keep a copy: without it these users have other accounts"
        let keyedNamespace = self.settings.scopes("namespaces").first { $0.boolean("keyed") ?? false }
        let digid = self.settings.scopes("brokers").first {
            $0.brokerKind == .digid && $0.text("subject_claim").map(NationalNumberClaim.isOne) ?? false
        }
        if let keyedNamespace, !isThere {
            self.report(
                keys.path(\.person), "is required, because \(keyedNamespace.path).keyed is true. \(advice)")
        } else if let digid, !isThere {
            self.report(
                keys.path(\.person),
                "is required, because \(digid.path).subject_claim is a national number. \(advice)")
        }
        if isThere, keyedNamespace == nil, digid == nil {
            self.warn(
                keys.path(\.person),
                "has no effect: no namespace is keyed, and no broker of kind digid has a national number as its subject"
            )
        }
    }

    private mutating func check(_ namespace: String, of provider: SettingScope) {
        let namespaces = self.settings.scopes("namespaces")
        guard let declaredNamespace = namespaces.first(where: { $0.name == namespace }) else {
            let nearest = SpellingSuggestion.suggestion(for: namespace, in: namespaces.map(\.name))
            return self.report(
                provider, "person.namespace",
                "there is no namespace \"\(namespace)\"\(nearest). Declare it in namespaces, with its brokers")
        }
        guard let broker = provider.text("broker"), declaredNamespace.list("brokers")?.contains(broker) == false else {
            return
        }
        self.report(
            provider, "person.namespace",
            "\(declaredNamespace.path).brokers does not list \(broker), so this broker may not identify users there. List it only if you trust it with every account of the namespace"
        )
    }
}
