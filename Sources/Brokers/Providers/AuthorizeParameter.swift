/// What a parameter of an authorize request does, by its name: whether an app may set it, and under which conditions.
package enum AuthorizeParameter: Equatable, Sendable {
    /// The protocol, this server or another setting decides it.
    case ours
    /// It says where a browser or an app goes. Whoever sets it can take over a login.
    case link
    /// It says which user is to log in. The caller must show a key of the app, and the request must be pushed.
    case person
    /// Not a valid name (RFC 6749 §8.2). Some servers read `redirect_uri[]` as `redirect_uri`.
    case malformed
    case plain

    package static func kind(of name: String) -> Self {
        guard !name.isEmpty, name.utf8.allSatisfy(Self.isNameByte) else { return .malformed }
        // Servers on .NET ignore case, and PHP replaces a dot by an underscore.
        let name = String(name.lowercased().map { $0 == "-" || $0 == "." ? "_" : $0 })
        if Self.own.contains(name) { return .ours }
        if Self.links.contains(name) || Self.linkWords.contains(where: name.contains)
            || Self.linkEndings.contains(where: name.hasSuffix)
        {
            return .link
        }
        let baseName = name.hasSuffix("_hint") ? String(name.dropLast(5)) : name
        return Self.personNames.contains(baseName) ? .person : .plain
    }

    private static let own: Set<String> = [
        "acr_values", "authorization_details", "claims", "client_assertion", "client_assertion_type", "client_id",
        "client_secret", "code_challenge", "code_challenge_method", "dpop_jkt", "grant_type", "max_age", "nonce",
        "prompt",
        "registration", "request", "response_mode", "response_type", "scope", "state", "ui_locales",
        // Signaturgruppen: the e-ID and its settings, which include the app switch.
        "idp_params", "idp_values",
        // Vipps: how its app returns.
        "requested_flow", "final_redirect_is_app",
        // CIBA (Core 7.1).
        "binding_message", "client_notification_token", "requested_expiry", "user_code",
    ]
    private static let links: Set<String> = ["app_switch", "continue", "next", "return_to", "returnto", "target"]
    private static let linkWords = ["callback", "redirect"]
    private static let linkEndings = ["link", "origin", "uri", "url"]
    /// Each also with `_hint` appended.
    private static let personNames: Set<String> = [
        "account", "bid", "bim", "bis", "bsn", "cpr", "email", "id_token", "login", "login_hint_token", "nin", "nnin",
        "personal_number", "personnummer",
        "phone", "phone_number", "pid", "ssn", "sub", "subject", "user", "user_id", "username", "uuid", "vatid",
    ]
    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."):
            true
        default: false
        }
    }
}
