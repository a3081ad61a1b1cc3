import Base
import Cryptography
import StrictJSON

/// What `at_hash` of an ID token is compared with (Core 3.1.3.6), for an access token that is not kept.
package struct AccessTokenHashes: Sendable {
    /// By digest. The ID token's algorithm says which one counts.
    private let texts: [Digest: String]

    init(of token: Secret) {
        self.texts = Dictionary(uniqueKeysWithValues: Digest.allCases.map { ($0, Self.hash(token, $0)) })
    }

    /// Reads the hashes as `json` writes them. Returns nil unless all of them are there.
    init?(_ json: JSON) {
        guard let texts = json.array?.compactMap(\.string), texts.count == Digest.allCases.count else { return nil }
        self.texts = Dictionary(uniqueKeysWithValues: zip(Digest.allCases, texts))
    }

    var json: JSON { .array(Digest.allCases.map { .string(self.texts[$0] ?? "") }) }

    func isHash(_ hash: String, by digest: Digest) -> Bool {
        equalInConstantTime(Array(hash.utf8), Array((self.texts[digest] ?? "").utf8)) && !hash.isEmpty
    }

    /// The left half of the digest, in base64url.
    static func hash(_ token: Secret, _ digest: Digest) -> String {
        let bytes = digest.hash(token.exposed)
        return Base64URL.encode(bytes.prefix(bytes.count / 2))
    }
}
