/// How Idura (Criipto) Verify is documented to differ from a plain OpenID provider.
import StrictJSON

enum IduraVerify {
    private static let acrs: Set<String> = [
        "dk:mitid:low", "dk:mitid:substantial", "dk:mitid:high", "dk:mitid:business", "se:bankid",
        "se:bankid:same-device", "se:bankid:another-device:qr", "se:frejaid", "no:bankid", "no:bankid:substantial",
        "no:bankid:high", "no:vipps", "fi:bank-id", "fi:mobile-id", "fi:all", "nl:idin", "de:personalausweis",
    ]

    static func problem(_ parameters: Parameters) -> String? {
        let names = parameters.list("acr_values").map { $0.hasPrefix("urn:grn:authn:") ? String($0.dropFirst(14)) : $0 }
        if let other = names.first(where: { !self.acrs.contains($0) }) { return "acr_values: \(other) is unknown" }
        let switches = parameters.list("login_hint").contains { $0 == "appswitch:ios" || $0 == "appswitch:android" }
        guard switches, !LaunchLinks.areAskedFor(parameters), let name = names.first else { return nil }
        // Norwegian BankID fails, and Swedish BankID answers with JSON, for which the rest is not right here.
        return name.hasPrefix("dk:mitid") || name == "se:frejaid" ? nil : "login_hint: no app switch for \(name)"
    }

    static func appSwitchURL(_ parameters: Parameters) -> String? {
        let mark = "appswitch:resumeUrl:"
        return parameters.list("login_hint").first { $0.hasPrefix(mark) }.map { String($0.dropFirst(mark.count)) }
    }

    /// `authenticationtype` in the place of `acr`; the subject in braces.
    static func idToken(of grant: Grant) -> JSON.Object {
        let isSwedish = grant.contextClass.hasPrefix("urn:grn:authn:se:bankid")
        var claims: JSON.Object = [
            "sub": .string("{\(grant.identity.subject)}"), "identityscheme": isSwedish ? "sebankid" : "dkmitid",
            "authenticationtype": .string(grant.contextClass), "auth_time": .integer(grant.authenticatedAt.seconds),
            "cprNumberIdentifier": .string(grant.identity.nationalID), "ipaddress": "192.0.2.1",
        ]
        if isSwedish { claims["ssn"] = .string(grant.identity.nationalID) }
        for claim in grant.identity.claims(for: ["profile"], and: []) { claims[claim.name] = claim.value }
        return claims
    }

    static func userinfo(of grant: Grant) -> JSON.Object { self.idToken(of: grant) }
}
