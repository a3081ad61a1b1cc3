import Base

/// Whom a provider's token is for, and who asked for it (Core 3.1.3.7, steps 3 to 5).
package struct JWTParties: Sendable {
    /// Why a token may be for somebody else, although the audience contains us.
    package enum Problem: String, CaseIterable, Sendable {
        /// Step 3: the audience contains a party that we do not trust.
        case foreignAudience
        /// Step 4: there are other audiences but no authorized party.
        case authorizedPartyMissing
        /// Step 5.
        case authorizedParty
    }

    /// Verbatim.
    let clientID: String
    /// Other parties that may be in the audience beside us, verbatim. They are not patterns.
    let trusted: [String]

    func includeUs(_ audience: [String]) -> Bool { audience.contains(where: self.isUs) }

    /// Whether we trust everyone in the audience. We are among them.
    func areTrusted(_ audience: [String]) -> Bool {
        audience.allSatisfy { one in self.isUs(one) || self.trusted.contains { identical($0, one) } }
    }

    /// Returns nil if `azp` names us. It may be absent if the audience is nobody else, however often it names us.
    func problem(of party: String?, audience: [String]) -> Problem? {
        guard let party else { return audience.allSatisfy(self.isUs) ? nil : .authorizedPartyMissing }
        return self.isUs(party) ? nil : .authorizedParty
    }

    private func isUs(_ one: String) -> Bool { identical(one, self.clientID) }
}
