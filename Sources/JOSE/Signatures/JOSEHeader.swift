/// The header of a token: claims of whoever made it, believed by nobody until signature or tag is verified.
import StrictJSON

/// It is a class because the token, what was verified of it and the list of known headers share it.
package final class JOSEHeader: Sendable {
    package let algorithm: String
    package let keyID: String?
    package let type: String?
    package let contentType: String?
    package let json: JSON.Object

    static let byteLimit = 8 * 1024

    /// `jku`, `jwk`, `x5u` and `x5c` (RFC 7515 §4.1.2 to §4.1.6) stay unread: a token does not choose its own key.
    init(parsing bytes: [UInt8]) throws(JWSError) {
        let limits = JSON.Limits(byteCount: Self.byteLimit, depth: 8)
        // RFC 7515 §5.2 step 4: names must be unique, which our parser insists on everywhere.
        guard let members = (try? JSON(parsing: bytes, limits: limits))?.object else { throw .malformed }
        // RFC 7515 §4.1.11: what is critical must be understood, and we understand no extension. RFC 7797's `b64` must
        // be critical; a token that forgets to say so is refused as well.
        guard members["crit"] == nil, members["b64"] == nil else { throw .criticalHeader }
        guard let algorithm = members["alg"]?.string else { throw .malformed }
        self.algorithm = algorithm
        self.keyID = try Self.text("kid", in: members)
        self.type = try Self.text("typ", in: members)
        self.contentType = try Self.text("cty", in: members)
        self.json = members
    }

    private static func text(_ name: String, in members: JSON.Object) throws(JWSError) -> String? {
        guard let member = members[name] else { return nil }
        guard let text = member.string else { throw .malformed }
        return text
    }
}
