/// How Signaturgruppen's Nets eID Broker was documented and seen to differ from a plain OpenID provider.
import StrictJSON

enum NetsEIDBroker {
    private static let idps: Set<String> = [
        "mitid", "mitid_erhverv", "mobilepay", "eboks", "soloid", "passkeyid", "euid", "euav",
    ]
    private static let level = "https://data.gov.dk/concept/core/nsis/"

    /// What is wrong with the parameters that only it knows. The person is told, nobody else.
    static func problem(_ parameters: Parameters) -> String? {
        if let other = parameters.list("idp_values").first(where: { !self.idps.contains($0) }) {
            return "idp_values: \(other) is unknown"
        }
        guard let text = parameters["idp_params"] else { return nil }
        guard let members = (try? JSON(parsing: Array(text.utf8)))?.object else {
            return "idp_params is no JSON object"
        }
        guard let mitID = members["mitid"]?.object, mitID["enable_app_switch"]?.bool == true else { return nil }
        guard let system = mitID["app_switch_os"]?.string, ["ios", "android"].contains(system),
            mitID["app_switch_url"]?.string.map(self.isLink) == true
        else { return "idp_params: app_switch_os and app_switch_url go with enable_app_switch" }
        return nil
    }

    /// On one machine, the app's links are plain http.
    private static func isLink(_ url: String) -> Bool {
        url.hasPrefix("https://") || url.hasPrefix("http://localhost:")
    }

    /// Where the MitID app returns to.
    static func appSwitchURL(_ parameters: Parameters) -> String? {
        guard let text = parameters["idp_params"], let json = try? JSON(parsing: Array(text.utf8)) else { return nil }
        return json["mitid"]?["app_switch_url"]?.string
    }

    /// It names nobody.
    static func idToken(of grant: Grant) -> JSON.Object {
        [
            "sub": .string(grant.identity.subject), "idp": .string(grant.idp ?? "mitid"),
            "auth_time": .integer(grant.authenticatedAt.seconds), "amr": ["code_app"],
            "acr": .string(self.level + "Substantial"), "loa": .string(self.level + "Substantial"),
            "aal": .string(self.level + "High"), "ial": .string(self.level + "Substantial"),
            "identity_type": "private", "transaction_id": .string(ProviderCore.unguessable()),
            "session_expiry": .string(String(grant.authenticatedAt.seconds + 3600)), "idtoken_type": "strict",
        ]
    }

    /// Every value a string.
    static func userinfo(of grant: Grant) -> JSON.Object {
        var claims: JSON.Object = [
            "idp": .string(grant.idp ?? "mitid"), "loa": .string(self.level + "Substantial"),
            "session_is_active": "true",
        ]
        if grant.scope.contains("mitid") {
            claims["mitid.uuid"] = .string("uuid-of-\(grant.identity.id)")
            claims["mitid.identity_name"] = .string(grant.identity.name)
            claims["mitid.date_of_birth"] = .string(grant.identity.birthDate)
            claims["mitid.has_cpr"] = "true"
        }
        if grant.scope.contains("ssn") { claims["dk.cpr"] = .string(grant.identity.nationalID) }
        claims["sub"] = .string(grant.identity.subject)
        return claims
    }
}
