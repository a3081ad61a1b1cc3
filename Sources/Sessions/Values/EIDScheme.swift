/// The e-IDs whose rules limit what a login may become, whichever broker carries it.
package enum EIDScheme: Equatable, Sendable {
    /// DigiD forbids identities that are derived from it.
    case digid
    /// The rules of Swedish BankID, as its resellers describe them, forbid that its login becomes another way to log in
    /// ("ID-växling") without an agreement.
    case swedishBankID

    /// Finds the scheme by the name of an e-ID and by `acr` values, as in `urn:grn:authn:nl:digid:substantial`, `sbid` or
    /// `se_bankid`. The BankID of another country has the same word, so the name, or the only country of the login, must
    /// say that it is the Swedish one. Nil for any other e-ID.
    package init?(names: [String], countries: [String]) {
        let names = names.map { $0.lowercased() }
        if names.contains(where: { $0.contains("digid") }) {
            self = .digid
        } else if names.contains(where: { Self.isSwedishBankID($0, countries) }) {
            self = .swedishBankID
        } else {
            return nil
        }
    }

    private static func isSwedishBankID(_ name: String, _ countries: [String]) -> Bool {
        let words = Set(name.split { !$0.isLetter && !$0.isNumber }.map { String($0) })
        if !words.isDisjoint(with: ["sbid", "sebankid", "bankidse"]) { return true }
        guard words.contains("bankid") else { return false }
        return !words.isDisjoint(with: ["se", "swe", "sweden", "swedish", "sverige", "svensk", "svenskt"])
            || (words.isDisjoint(with: ["no", "nor", "norway", "norwegian", "norge", "norsk"]) && countries == ["SE"])
    }
}
