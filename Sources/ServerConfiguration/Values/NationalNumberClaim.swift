/// The claims in which brokers and resolvers send the number that a state gave to the user.
enum NationalNumberClaim {
    /// In lower case, letters and digits alone: of Denmark, Sweden, Norway, Finland, the Netherlands and Belgium, and the
    /// general names.
    private static let names: Set<String> = [
        "cpr", "cprnumber", "cprnumberidentifier", "cprnr", "dkcpr", "personnummer", "personalnumber",
        "personalidentitynumber",
        "personidentitynumber", "personalidentificationnumber", "pnr", "socialno", "socialsecuritynumber", "ssn", "nin",
        "nnin", "pid", "fnr", "fodselsnummer", "birthnumber", "hetu", "henkilotunnus", "personidentitycode",
        "personalidentitycode", "bsn", "burgerservicenummer", "rrn", "nationalregisternumber", "nationalid",
        "nationalidnumber",
        "nationalidentifier", "nationalidentitynumber", "nationalnumber", "identitynumber", "personidentifier",
    ]
    /// The attributes of Sweden's and Finland's federations.
    private static let attributes: Set<String> = ["urn:oid:1.2.752.29.4.13", "urn:oid:1.2.246.21"]

    /// Whether the claim has such a number, by its whole name or by the last part of it, as in `dk.cpr`.
    static func isOne(_ claim: String) -> Bool {
        let claim = claim.lowercased()
        let last = claim.split { ".:/".contains($0) }.last.map { String($0) } ?? claim
        // NemID's PID is a pseudonym, and ID-porten's is the number.
        guard claim != "nemid.pid" else { return false }
        return Self.attributes.contains(claim)
            || [claim, last].contains { text in
                Self.names.contains(text.filter { $0.isLetter || $0.isNumber })
            }
    }
}
