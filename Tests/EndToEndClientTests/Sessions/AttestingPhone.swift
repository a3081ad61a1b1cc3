import AttestedPhones
import Attestation
import Base
import Cryptography
import HTTPWire
import PhoneKeys
import StrictJSON

/// What a phone attests in a test: the right thing, or something that is wrong in one way. The certificates lead to the
/// tests' own roots.
enum AttestingPhone: String, Sendable {
    case nothing
    case iPhone, iPhoneOfAnotherLogin, iPhoneOfAnotherKey, iPhoneOfAnotherApp, iPhoneFromXcode, iPhoneOfNobody
    case android, strongBox, androidOfAnotherLogin, androidOfAnotherKey, androidOfAnotherApp, androidOfAnotherSigner
    case revokedAndroid, unlockedAndroid, softwareAndroid, androidOfNobody

    /// The serial number of a revoked attestation key.
    private static let revoked: [UInt8] = [0xBA, 0xD0]
    static let statusList = #"{"entries": {"bad0": {"status": "REVOKED", "reason": "KEY_COMPROMISE"}}}"#
    static let app =
        #", ios: {app_ids: ["1234567890.com.example.app"]}, android: [{package: com.example.app, "#
        + #"sha256_cert_fingerprints: ["\#(Array(repeating: "03", count: 32).joined(separator: ":"))"]}]"#

    private static let someoneElse = Result { try TestKey(.p384) }

    /// The roots in PEM, for the settings.
    static func roots() throws -> (apple: [UInt8], android: [UInt8]) {
        (try AppAttestStage().root.pem(), try self.factory().root.pem())
    }

    /// The member `attestation` of the begin; nil for a phone that attests nothing. `time` is in seconds since 1970.
    func attestation(of key: PhoneKey, for login: String, at time: Int) throws -> JSON? {
        let challenge = Digest.sha256.hash(Array("switchback/attest/1\(login)".utf8))
        let other = Digest.sha256.hash(Array("switchback/attest/1another".utf8))
        switch self {
        case .nothing: return nil
        case .iPhone: return try Self.appAttest(key, challenge, time)
        case .iPhoneOfAnotherLogin: return try Self.appAttest(key, other, time)
        case .iPhoneOfAnotherKey: return try Self.appAttest(try PhoneKey(), challenge, time)
        case .iPhoneOfAnotherApp:
            return try Self.appAttest(key, challenge, time) { $0.data.app = "1234567890.com.example.other" }
        case .iPhoneFromXcode:
            return try Self.appAttest(key, challenge, time) { $0.data.aaguid = AppAttestEnvironment.development.aaguid }
        case .iPhoneOfNobody:
            return try Self.appAttest(key, challenge, time) { $0.authority.signer = try Self.someoneElse.get() }
        case .android: return try Self.androidKey(key, challenge, time)
        case .strongBox:
            return try Self.androidKey(key, challenge, time) {
                ($0.description.attestationLevel, $0.description.keyLevel) = (2, 2)
            }
        case .androidOfAnotherLogin: return try Self.androidKey(key, other, time)
        case .androidOfAnotherKey: return try Self.androidKey(try PhoneKey(), challenge, time)
        case .androidOfAnotherApp:
            return try Self.androidKey(key, challenge, time) { $0.description.packages = ["com.example.other"] }
        case .androidOfAnotherSigner:
            return try Self.androidKey(key, challenge, time) {
                $0.description.signers = [[UInt8](repeating: 4, count: 32)]
            }
        case .revokedAndroid:
            return try Self.androidKey(key, challenge, time) { $0.chain[1].serial = Self.revoked }
        case .unlockedAndroid:
            return try Self.androidKey(key, challenge, time) { $0.description.isLocked = DER.boolean(false) }
        case .softwareAndroid:
            return try Self.androidKey(key, challenge, time) { $0.description.keyLevel = 0 }
        case .androidOfNobody:
            return try Self.androidKey(key, challenge, time) { $0.chain[1].signer = try Self.someoneElse.get() }
        }
    }

    /// With a root of another name than Google's, which the server has too.
    private static func factory() throws -> KeyAttestationStage {
        var stage = try KeyAttestationStage.factory()
        stage.root.subject = [("CN", "A Root of Tests")]
        stage.root.issuer = stage.root.subject
        stage.chain[2].issuer = stage.root.subject
        return stage
    }

    private static func appAttest(
        _ key: PhoneKey, _ challenge: [UInt8], _ time: Int, _ change: (inout AppAttestStage) throws -> Void = { _ in }
    ) throws -> JSON {
        var stage = try AppAttestStage()
        (stage.challenge, stage.thumbprint) = (challenge, key.thumbprint)
        stage.authority.center(on: time)
        stage.leaf.center(on: time)
        try change(&stage)
        return [
            "format": "apple-appattest", "attestation_object": .string(Base64URL.encode(try stage.attestation())),
            "key_id": .string(Base64URL.encode(Digest.sha256.hash(stage.leaf.key.point))),
        ]
    }

    private static func androidKey(
        _ key: PhoneKey, _ challenge: [UInt8], _ time: Int,
        _ change: (inout KeyAttestationStage) throws -> Void = { _ in }
    ) throws -> JSON {
        var stage = try self.factory()
        stage.chain[0].key = try TestKey(pem: key.pem.exposed)
        stage.description.challenge = challenge
        for index in 1..<stage.chain.count { stage.chain[index].center(on: time) }
        try change(&stage)
        return [
            "format": "android-key",
            "x5c": .array(try stage.attestation().map { .string(Base64URL.encode($0)) }),
        ]
    }
}
