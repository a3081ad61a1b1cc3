// Makes an identity from a broker's claims, by their standard names (Core 5.1) or by the broker's.

import OpenIDConnect
import StrictJSON

extension Identity {
    /// The userinfo takes precedence over the ID token: we fetch it later, and it contains more.
    init(
        _ idToken: IDToken, _ userInfo: UserInfo?, for provider: Provider, names: ClaimNames = ClaimNames()
    ) throws(BrokerError) {
        /// A `null` of the userinfo does not hide the ID token's value.
        func claim(_ name: String) -> JSON? {
            let values = [userInfo?.claims[name], idToken.claims[name]].compactMap(\.self)
            return values.first { !$0.isNull } ?? values.first
        }
        func text(_ name: String) -> String? { claim(name)?.string.flatMap { $0.isEmpty ? nil : $0 } }
        var claims: JSON.Object = [:]
        for name in provider.claims { claims[name] = claim(name) }
        var nationalID: NationalID?
        if let rule = provider.nationalID, let value = text(rule.claim) {
            nationalID = NationalID(type: rule.type, value: value)
        }
        var person: Person?
        if let rule = provider.person {
            person = try Person(rule, in: [.object(idToken.claims), userInfo.map { .object($0.claims) }])
        }
        let country = text(names.country).map { $0.uppercased() }.flatMap { Self.isCountry($0) ? $0 : nil }
        self.init(
            issuer: idToken.issuer, subject: provider.person?.subject(idToken.subject, of: person) ?? idToken.subject,
            provider: provider.id,
            eid: provider.eid ?? provider.id, country: country ?? provider.onlyCountry,
            assurance: (names.assurance.map { text($0) } ?? idToken.acr).flatMap { Assurance(contextClass: $0) }
                ?? provider.assurance, acr: idToken.acr,
            methods: try Self.methods(idToken.claims["amr"], for: provider), authenticatedAt: idToken.authTime,
            name: text(names.name), givenName: text(names.givenName), familyName: text(names.familyName),
            birthDate: text(names.birthDate).flatMap { Self.isDate($0) ? $0 : nil }, nationalID: nationalID,
            claims: claims, person: person)
    }

    /// Reads `amr`: a list of texts (Core 2), or one text, as Signicat and others write a list of one. It is never
    /// split.
    ///
    /// Throws if the claim has another type and the provider demands a method, because that says nothing about the
    /// user's login.
    static func methods(_ claim: JSON?, for provider: Provider) throws(BrokerError) -> [String] {
        switch claim {
        case nil, .null?: return []
        case .string(let text)?: return [text]
        case .array(let elements)?:
            let texts = elements.compactMap(\.string)
            if texts.count == elements.count { return texts }
            guard provider.methods.isEmpty || !provider.methods.isDisjoint(with: texts) else { break }
            return texts
        case .bool?, .integer?, .number?, .decimal?, .object?:
            guard !provider.methods.isEmpty else { return [] }
        }
        throw BrokerError(.invalidToken, .amrType)
    }

    /// Returns whether the text is two letters. Other brokers put whole words into a claim of that name.
    private static func isCountry(_ text: String) -> Bool {
        text.utf8.count == 2 && text.utf8.allSatisfy { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
    }

    /// Returns whether the text is `YYYY-MM-DD` (Core 5.1). A year alone, which Core also allows, is no date of birth.
    private static func isDate(_ text: String) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.map(\.utf8.count) == [4, 2, 2], let year = Int(parts[0]), let month = Int(parts[1]),
            let day = Int(parts[2]), text.utf8.allSatisfy({ $0 == 0x2D || (0x30...0x39).contains($0) })
        else { return false }
        return year > 0 && (1...12).contains(month) && (1...31).contains(day)
    }
}
