import Base
import StrictJSON

/// An input that is a JWT before it is signed: `header LF payload`, or a payload alone. The target signs it.
///
/// Otherwise a fuzzer would never get past the signature.
struct SignedInput {
    let header: [UInt8]
    let payload: [UInt8]
    /// The token as it is sent, signed with the provider's Ed25519 key whatever the header says.
    let compact: String

    private static let usual = Array(#"{"alg":"EdDSA","kid":"ed"}"#.utf8)

    init(_ input: some Collection<UInt8>) throws(Violation) {
        let end = input.first == UInt8(ascii: "{") ? input.firstIndex(of: 0x0A) : nil
        try self.init(
            header: end.map { Array(input[..<$0]) } ?? Self.usual,
            payload: end.map { Array(input[$0...].dropFirst()) } ?? Array(input))
    }

    private init(header: [UInt8], payload: [UInt8]) throws(Violation) {
        let input = Base64URL.encode(header) + "." + Base64URL.encode(payload)
        guard let signature = try? FuzzKeys.shared().ed25519.sign(Array(input.utf8), with: .edDSA) else {
            throw Violation("the input cannot be signed")
        }
        self.header = header
        self.payload = payload
        self.compact = input + "." + Base64URL.encode(signature)
    }

    /// Takes the parts of an accepted token. Ed25519 signatures are always the same (RFC 8032), so it can only be the
    /// token that the key makes.
    init(accepted compact: String) throws(Violation) {
        let parts = compact.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let header = Base64URL.decode(parts[0]), let payload = Base64URL.decode(parts[1]) else {
            throw Violation("accepted, and not three parts of base64url")
        }
        try self.init(header: header, payload: payload)
        try require(identical(self.compact, compact), "accepted, though nobody signed it")
    }

    /// Checks the header of an accepted token, and returns its claims.
    func claims() throws(Violation) -> JSON.Object {
        let all = (try? JSON(parsing: self.header))?.object ?? [:]
        try require(all["crit"] == nil && all["b64"] == nil, "accepted with a critical header")
        let header = all.withoutNulls
        try require(header["alg"] == "EdDSA", "accepted by another algorithm")
        try require(header["typ"].map { $0.string?.lowercased() == "jwt" } != false, "accepted with another type")
        try require(header["kid"].map { $0 == "ed" } != false, "accepted by another key")
        guard let claims = (try? JSON(parsing: self.payload))?.object else {
            throw Violation("accepted without claims")
        }
        return claims
    }
}

extension JSON.Object {
    /// Returns one text, or all texts of a list.
    func texts(_ name: String) -> [String] {
        self[name]?.string.map { [$0] } ?? self[name]?.array?.compactMap(\.string) ?? []
    }

    /// Returns a NumericDate. It may be a text of digits, which some providers write.
    func seconds(_ name: String) -> Double? { self[name]?.number ?? self[name]?.string.flatMap(Double.init) }

    func says(_ name: String, _ text: String) -> Bool { self[name]?.string.map { identical($0, text) } == true }
}
