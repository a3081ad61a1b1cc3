// Texts whose form or type is not that of an ID token (RFC 7515 §7.1, RFC 8725 §3.11).

import OpenIDConnect

extension IDTokenCase {
    static let forms: [Self] = [
        Self("typ JWT", nil) { $0.header["typ"] = "JWT" },
        Self("typ jwt", nil) { $0.header["typ"] = "jwt" },
        // RFC 9068: an access token with the same issuer, key and audience.
        Self("typ at+jwt", .type) { $0.header["typ"] = "at+jwt" },
        Self("typ application/at+jwt", .type) { $0.header["typ"] = "application/at+jwt" },
        Self("typ AT+JWT", .type) { $0.header["typ"] = "AT+JWT" },
        Self("typ logout+jwt", .type) { $0.header["typ"] = "logout+jwt" },
        Self("typ secevent+jwt", .type) { $0.header["typ"] = "secevent+jwt" },
        Self("typ oauth-authz-req+jwt", .type) { $0.header["typ"] = "oauth-authz-req+jwt" },
        Self("typ JOSE", .type) { $0.header["typ"] = "JOSE" },
        Self("typ empty", .type) { $0.header["typ"] = "" },
        Self("crit", .malformed) {
            $0.header["crit"] = ["exp"]
            $0.header["exp"] = 1
        },
        Self("b64 false", .malformed) { $0.header["b64"] = false },
        Self("empty", .malformed) { $0.change = { _ in "" } },
        Self("one part", .malformed) { $0.change = { $0.replacing(".", with: "") } },
        Self("two parts", .malformed) { $0.change = { $0.split(separator: ".").dropLast().joined(separator: ".") } },
        Self("four parts", .malformed) { $0.change = { $0 + ".x" } },
        Self("encrypted", .encrypted) { $0.change = { $0 + ".x.x" } },
        Self("padding", .malformed) { $0.change = { $0 + "=" } },
        Self("a blank before", .malformed) { $0.change = { " " + $0 } },
        Self("a line break after", .malformed) { $0.change = { $0 + "\n" } },
        Self("a letter of another alphabet", .malformed) { $0.change = { $0 + "+" } },
        Self("far too long", .tooLarge) { $0.claims["x"] = .string(String(repeating: "x", count: 100_000)) },
        Self("claims not JSON", .claims) { $0.payload = Array("sub=1".utf8) },
        Self("claims a list", .claims) { $0.payload = Array("[]".utf8) },
        Self("no claims", .claims) { $0.payload = [] },
        Self("a claim twice", .claims) { $0.payload = Array(#"{"iss":"https://id.example","iss":"x"}"#.utf8) },
    ]
}
