import Base
import StrictJSON

/// The header of a token: the sender's claims, untrusted until the signature or tag is verified.
///
/// It is a class because the token, its verified form and the list of known headers share it.
package final class JOSEHeader: Sendable {
    package let algorithm: String
    package let keyID: String?
    package let type: String?
    package let contentType: String?
    package let json: JSON.Object

    static let byteLimit = 8 * 1024

    /// Never reads `jku`, `jwk`, `x5u` and `x5c` (RFC 7515 §4.1.2 to §4.1.6): a token does not choose its own key.
    init(parsing bytes: [UInt8], spelling: Spelling) throws(JWSError) {
        let limits = JSON.Limits(byteCount: Self.byteLimit, depth: 8)
        // Names must be unique (RFC 7515 §5.2 step 4). Our parser always insists on that.
        guard let members = (try? JSON(parsing: bytes, limits: limits))?.object else { throw .malformed }
        // We must understand everything critical, and we understand no extension (RFC 7515 §4.1.11). RFC 7797's `b64`
        // must be critical; we also refuse a token that does not say so.
        guard members["crit"] == nil, members["b64"] == nil else { throw .criticalHeader }
        guard let algorithm = members["alg"]?.string else { throw .malformed }
        self.algorithm = algorithm
        let present = spelling == .provider ? members.withoutNulls : members
        self.keyID = try Self.text("kid", in: present)
        self.type = try Self.text("typ", in: present)
        self.contentType = try Self.text("cty", in: present)
        self.json = present
    }

    /// Reads a header in base64url, as it is in the token.
    convenience init(encoded part: ArraySlice<UInt8>, spelling: Spelling) throws(JWSError) {
        guard let bytes = Base64URL.decode(bytes: part) else { throw .malformed }
        try self.init(parsing: bytes, spelling: spelling)
    }

    private static func text(_ name: String, in members: JSON.Object) throws(JWSError) -> String? {
        guard let member = members[name] else { return nil }
        guard let text = member.string else { throw .malformed }
        return text
    }
}
