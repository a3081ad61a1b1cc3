import Base
import JOSE
import OpenIDConnect
import StrictJSON

/// An ID token before it is signed, and the settings of its validation. It is valid, so that each case can change it.
struct Minted {
    var header: JSON.Object = ["alg": "RS256", "kid": "rsa"]
    var claims: JSON.Object = [
        "iss": "https://id.example", "sub": "{248289761001}", "aud": "app", "exp": 1_800_000_300,
        "iat": 1_800_000_000, "auth_time": 1_799_999_990, "nonce": "bm9uY2U",
    ]
    /// Replaces the claims.
    var payload: [UInt8]?
    /// The name of the signing key; the algorithm follows.
    var key = "rsa"
    var algorithm = SignatureAlgorithm.rs256
    var rules = IDTokenRules(
        issuer: Example.issuer, clientID: Example.clientID, nonce: Example.nonce, algorithms: [.rs256, .es256],
        leeway: 30, now: Example.now)
    var published: JWKSet
    /// Changes the token on its way.
    var change: (String) throws -> String = { $0 }

    init() throws { self.published = try TestKeys.shared().published }

    mutating func sign(_ algorithm: SignatureAlgorithm, _ key: String) {
        self.algorithm = algorithm
        self.key = key
        self.header["alg"] = .string(algorithm.rawValue)
        self.header["kid"] = .string(key)
        self.rules.algorithms = [algorithm]
    }

    func compact() throws -> String {
        let payload = self.payload ?? JSON.object(self.claims).encoded()
        return try self.change(Self.sign(self.header, payload, self.key, self.algorithm))
    }

    static func sign(
        _ header: JSON.Object, _ payload: [UInt8], _ key: String, _ algorithm: SignatureAlgorithm
    ) throws -> String {
        let input = Base64URL.encode(JSON.object(header).encoded()) + "." + Base64URL.encode(payload)
        let signature = try TestKeys.shared().named(key).sign(Array(input.utf8), with: algorithm)
        return input + "." + Base64URL.encode(signature)
    }
}
