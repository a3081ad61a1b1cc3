import Base
import EndToEndSupport
import JOSE
import StrictJSON

/// The signing keys of a provider of the habits, and how it publishes them.
struct HabitKeys: Sendable {
    let algorithm: SignatureAlgorithm
    private let keys: [PrivateKey]
    private let habit: JSON?
    /// How often it has rotated.
    private var rotations = 0

    /// Making an RSA key takes a tenth of a second, so all providers have the same.
    private static let pairs = Result {
        try [PrivateKey.Kind.rsa(bits: 2048), .p256, .p384, .ed25519].map { kind in
            (kind, [try PrivateKey.generate(kind), try PrivateKey.generate(kind)])
        }
    }

    /// `habit` is the member `keys`.
    init(_ habit: JSON?) throws {
        guard let algorithm = SignatureAlgorithm(rawValue: habit?["alg"]?.string ?? "RS256") else {
            throw TestClient.Failure(description: "no such algorithm: \(habit ?? .null)")
        }
        self.algorithm = algorithm
        self.habit = habit
        self.keys = try Self.pairs.get().first { $0.1[0].publicKey.fits(algorithm) }?.1 ?? []
    }

    mutating func rotate() { self.rotations += 1 }

    private var current: PrivateKey { self.keys[self.rotations % self.keys.count] }

    private func keyID(_ rotation: Int) -> String {
        self.habit?["rotation"]?.string == "same kid" ? "the-key" : "key-\(rotation)"
    }

    /// Returns a compact token with the habit's header.
    func sign(_ claims: JSON.Object, header more: JSON?) throws -> String {
        var header: JSON.Object = ["alg": .string(self.algorithm.rawValue)]
        if self.habit?["kid"]?.bool != false { header["kid"] = .string(self.keyID(self.rotations)) }
        for name in more?.object?.names ?? [] {
            header[name] = more?[name] == .string("$absent") ? nil : more?[name]
        }
        let input = [header, claims].map { Base64URL.encode(JSON.object($0).encoded()) }.joined(separator: ".")
        return "\(input).\(Base64URL.encode(try self.current.sign(Array(input.utf8), with: self.algorithm)))"
    }

    /// The key set: other keys first, so that the first key is not the right one by chance.
    func published() throws -> JSON {
        var key =
            self.current.publicKey.jwk(
                keyID: self.habit?["kid"]?.bool == false ? nil : self.keyID(self.rotations), use: "sig",
                algorithm: self.algorithm
            ).json.object ?? [:]
        if self.habit?["leading_zero"]?.bool == true { try Self.prefixZero(&key) }
        if self.habit?["padded"]?.bool == true { key["n"] = key["n"]?.string.map { .string($0 + "==") } }
        for name in self.habit?["members"]?.object?.names ?? [] {
            let value = self.habit?["members"]?[name]
            key[name] = value == .string("$absent") ? nil : value
        }
        return ["keys": .array((self.habit?["others"]?.array ?? []) + [.object(key)])]
    }

    /// Java's `BigInteger.toByteArray` begins with a zero byte when the highest bit is set.
    private static func prefixZero(_ key: inout JSON.Object) throws {
        guard let text = key["n"]?.string, let bytes = Base64URL.decode(text) else {
            throw TestClient.Failure(description: "no modulus")
        }
        key["n"] = .string(Base64URL.encode([0] + bytes))
    }
}
