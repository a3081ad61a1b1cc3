import Base
import JOSE
import StrictJSON

/// Key sets (RFC 7517): an accepted key is public, is written as it was read, and serves only its stated purpose.
enum JWKTarget {
    static func judge(_ input: [UInt8]) throws(Violation) -> Verdict {
        guard let set = try? JWKSet(parsing: input, spelling: .provider) else { return .refused }
        // The lenient reading takes nothing away, and changes no key that the strict one accepts.
        let exact = (try? JWKSet(parsing: input))?.keys.map(\.json) ?? []
        let read = set.keys.map(\.json)
        try require(exact.allSatisfy(read.contains), "a key that is spelled right reads otherwise")
        let count = (try? JSON(parsing: input))?["keys"]?.array?.count
        try require(count == set.keys.count + set.skipped, "a key was lost")
        // More of them would be slow and find nothing new.
        for key in set.keys.prefix(4) {
            try self.check(key)
            try self.checkChoice(of: key, in: set)
        }
        return set.keys.isEmpty ? .refused : .accepted
    }

    private static func check(_ key: JWK) throws(Violation) {
        guard let again = try? JWK(key.json) else { throw Violation("what was written is not read") }
        try require(again.json == key.json && again.thumbprint == key.thumbprint, "what was written reads otherwise")
        let isPublic = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"].allSatisfy { key.json[$0] == nil }
        try require(isPublic, "a private member is published")
        for algorithm in SignatureAlgorithm.allCases where key.verifies(algorithm) {
            try require(key.publicKey.fits(algorithm), "it verifies what it does not fit")
            try require(key.use != "enc" && key.keyOperations?.contains("verify") != false, "it is not for signatures")
            try require(key.algorithm.map { identical($0, algorithm.rawValue) } != false, "it is for another algorithm")
        }
        guard let algorithm = SignatureAlgorithm.allCases.first(where: key.publicKey.fits) else { return }
        let signature = [UInt8](repeating: 1, count: key.publicKey.kind.signatureByteCount)
        let verifies = key.publicKey.verify(signature, of: Array("message".utf8), with: algorithm)
        try require(!verifies, "it verifies anything")
    }

    private static func checkChoice(of key: JWK, in set: JWKSet) throws(Violation) {
        for algorithm in SignatureAlgorithm.allCases {
            guard case .key(let chosen) = set.key(for: algorithm, keyID: key.keyID) else { continue }
            try require(chosen.verifies(algorithm), "a key was chosen that is not for it")
            guard let name = key.keyID else { continue }
            try require(chosen.keyID.map { identical($0, name) } == true, "a key of another name was chosen")
        }
    }
}

extension KeyKind {
    fileprivate var signatureByteCount: Int {
        switch self {
        case .rsa(let bits): (bits + 7) / 8
        case .p256, .ed25519: 64
        case .p384: 96
        case .p521: 132
        }
    }
}
