import Base
import JOSE
import StrictJSON

/// Signed tokens (RFC 7515): none is verified except those that were signed.
enum JWSTarget {
    static func judge(_ input: [UInt8]) throws(Violation) -> Verdict {
        let text = CompactInput.text(input)
        try CompactInput.checkParts(of: text)
        guard let token = try? CompactJWS(parsing: text) else { return .refused }
        try require(text.utf8.count { $0 == UInt8(ascii: ".") } == 2, "not three parts")
        let keys = try FuzzKeys.shared()
        let signed = self.signingInput(of: text)
        if let verified = try? token.verified(with: keys.published, allowing: FuzzKeys.algorithms) {
            try require(Signed.inputs.contains { identical($0, signed) }, "verified, though nobody signed it")
            try require(identical(verified.algorithm.rawValue, token.header.algorithm), "verified by another algorithm")
            return .accepted
        }
        guard (try? token.verified(with: FuzzKeys.secret, allowing: [.hs256])) != nil else { return .refused }
        try require(Signed.inputs.contains { identical($0, signed) }, "authentic, though nobody made it")
        return .accepted
    }

    /// Everything that was ever signed with these keys, without its signatures.
    private enum Signed {
        static let claims: [JSON.Object] = [["sub": "a"], ["iss": "https://op.example", "aud": ["app"], "exp": 1]]

        static let inputs: [String] = {
            guard let keys = try? FuzzKeys.shared() else { return [] }
            return Self.claims.flatMap { claims in
                keys.signers.compactMap { try? $0.sign(claims) }.map { JWSTarget.signingInput(of: $0) }
            }
        }()
    }

    /// Returns all but the last part (RFC 7515 §5.2 step 8).
    private static func signingInput(of token: String) -> String {
        String(token.prefix(upTo: token.lastIndex(of: ".") ?? token.endIndex))
    }
}
