import Cryptography
import Attestation
import AttestedPhones
import Base
import Foundation
import StrictJSON
import Testing

/// Android key attestation on real phones: Google's chains (see README.md).
@Suite(.enabled(if: Vectors.isHere, "SWITCHBACK_ATTESTATION_VECTORS is not set")) struct AndroidVectorTests {
    private static let folder = "keyattestation/testdata"

    /// The chains that are accepted.
    private static let accepted: Set<String> = [
        "caiman/sdk36/SB_EC_RKP", "caiman/sdk36/TEE_EC_RKP", "sony-xperia10-iii/sdk33/TEE_EC",
        "tegu/sdk36/SB_EC_2026_ROOT", "tegu/sdk36/TEE_EC_2026_ROOT",
    ]

    /// Why the others are refused. Most come from phones of developers, which are unlocked.
    private static let refused: [String: Refusal] = [
        "akita/sdk34/SB_RSA_NONE": .deviceUnlocked, "akita/sdk34/TEE_EC_NONE": .deviceUnlocked,
        "akita/sdk34/TEE_RSA_BASE+IMEI": .deviceUnlocked, "akita/sdk34/TEE_RSA_NONE": .deviceUnlocked,
        "akita/sdk34/TEE_RSA_NONE_USERAUTH": .deviceUnlocked, "blueline/sdk28/SB_RSA_NONE": .deviceUnlocked,
        "blueline/sdk28/SB_RSA_NONE_USERAUTH": .deviceUnlocked, "blueline/sdk28/TEE_EC_NONE": .deviceUnlocked,
        "blueline/sdk28/TEE_RSA_BASE+IMEI": .deviceUnlocked, "blueline/sdk28/TEE_RSA_NONE": .deviceUnlocked,
        "tegu/sdk37/TEE_MAX_USAGE_COUNT": .deviceUnlocked, "tegu/sdk37/TEE_TRUSTED_CONF": .deviceUnlocked,
        // Kinds of keys that OpenSSL 3.0 does not know.
        "tokay/sdk37/TEE_MLDSA_FACTORY": .unsupportedKey, "tokay/sdk37/TEE_MLDSA_RKP": .unsupportedKey,
        // Android's software, with roots of its own.
        "marlin/sdk29/TEE_EC_NONE": .untrustedRoot, "marlin/sdk29/TEE_RSA_NONE": .untrustedRoot,
        // Malformed on purpose. The second was changed after it was signed.
        "invalid/malformed_rot_device_locked": .malformedKeyDescription,
        "invalid/tags_not_in_ascending_order": .wrongSignature,
        // A certificate without its chain, and a chain of a test.
        "allow_while_on_body": .untrustedRoot, "p256_sha384_intermediate": .untrustedRoot,
    ]

    private static func roots() throws -> TrustedRoots {
        let pem = try Vectors.json("keyattestation/roots.json").array?.compactMap(\.string) ?? []
        return try TrustedRoots(pem: Array(pem.joined(separator: "\n").utf8))
    }

    @Test func `the chains of real phones get their verdicts`() throws {
        let roots = try Self.roots()
        #expect(roots.count == 2)
        let names = try Vectors.names(in: Self.folder, endingWith: ".pem").map { String($0.dropLast(4)) }
        for name in names {
            let chain = try Vectors.chain("\(Self.folder)/\(name).pem")
            let statement = try? Vectors.json("\(Self.folder)/\(name).json")
            let verdict = try Self.verify(chain, statement, roots)
            print("key attestation \(name): \(verdict)")
            #expect(verdict.refusal == Self.refused[name], "\(name)")
        }
        #expect(Set(names) == Self.accepted.union(Self.refused.keys))
        #expect(names.count == 25)
    }

    private static func verify(_ chain: [[UInt8]], _ statement: JSON?, _ roots: TrustedRoots) throws -> Verdict {
        let software = statement?["softwareEnforced"]
        let application = software?["attestationApplicationId"]
        let signers = try (application?["signatures"]?.array ?? []).map { try Vectors.decoded($0.string) }
        let apps = (application?["packages"]?.array ?? []).compactMap { $0["name"]?.string }
            .map { TrustedAndroidApp(package: $0, signers: Set(signers)) }
        let created = software?["creationDateTime"] ?? statement?["hardwareEnforced"]?["creationDateTime"]
        // The chains without a statement are of 2025.
        let time = created?.string.flatMap { Int64($0) } ?? 1_745_000_000_000
        let point = try #require(Certificate(der: chain[0])).p256Point
        return KeyAttestationVerifier(roots: roots, apps: apps, requirement: .optional, statusList: nil).verify(
            chain, challenge: try statement.map { try Vectors.decoded($0["attestationChallenge"]?.string) } ?? [],
            thumbprint: try point.map { try KeyAttestationStage.thumbprint(of: $0) } ?? "",
            at: Timestamp(milliseconds: time))
    }

    @Test func `key descriptions are read as Google reads them`() throws {
        let names = try Vectors.names(in: Self.folder, endingWith: ".pem").map { String($0.dropLast(4)) }
        var count = 0
        for name in names {
            guard let statement = try? Vectors.json("\(Self.folder)/\(name).json") else { continue }
            let leaf = try #require(Certificate(der: try Vectors.chain("\(Self.folder)/\(name).pem")[0]))
            let description = try KeyDescription(of: leaf)
            let (read, known) = (Self.json(description), Self.known(statement))
            #expect(read == known, "\(name): \(read.text) is \(known.text)")
            count += 1
        }
        #expect(count == 21)
    }

    private static let levels: [SecurityLevel: JSON] = [
        .software: "SOFTWARE", .trustedEnvironment: "TRUSTED_ENVIRONMENT", .strongBox: "STRONG_BOX",
    ]

    private static func json(_ description: KeyDescription) -> JSON {
        var json: JSON.Object = [
            "version": .string(String(description.version)),
            "attestationLevel": Self.levels[description.attestationLevel] ?? .null,
            "keyLevel": Self.levels[description.keyLevel] ?? .null,
            "challenge": .string(Base64.encode(description.challenge)),
        ]
        json["origin"] = description.hardware.origin.map { $0 == 0 ? "GENERATED" : .integer($0) }
        json["isLocked"] = (description.hardware.rootOfTrust?.isLocked).map(JSON.bool)
        json["bootState"] = (description.hardware.rootOfTrust?.bootState).map { .string("\($0)".uppercased()) }
        let application = description.software.application.flatMap { AttestedApplication(parsing: $0) }
        json["packages"] = application.map { .array($0.packages.sorted().map(JSON.string)) }
        json["signers"] = application.map { .array($0.signers.map { .string(Base64.encode($0)) }) }
        return .object(json)
    }

    private static func known(_ statement: JSON) -> JSON {
        let (software, hardware) = (statement["softwareEnforced"], statement["hardwareEnforced"])
        let (root, application) = (hardware?["rootOfTrust"], software?["attestationApplicationId"])
        var json = JSON.Object()
        json["version"] = statement["attestationVersion"]
        json["attestationLevel"] = statement["attestationSecurityLevel"]
        json["keyLevel"] = statement["keyMintSecurityLevel"]
        json["challenge"] = statement["attestationChallenge"]
        json["origin"] = hardware?["origin"]
        json["isLocked"] = root?["deviceLocked"]
        json["bootState"] = root?["verifiedBootState"].map { .string(($0.string ?? "").filter { $0 != "_" }) }
        json["packages"] = application?["packages"]?.array
            .map { .array($0.compactMap { $0["name"]?.string }.sorted().map(JSON.string)) }
        json["signers"] = application?["signatures"]
        return .object(json)
    }

    /// The extension of a single certificate, and of one that was changed after it was signed.
    @Test func `key descriptions alone are read or refused`() throws {
        for (name, refusal) in [
            ("allow_while_on_body", nil), ("invalid/tags_not_in_ascending_order", Refusal.malformedKeyDescription),
        ] {
            let leaf = try #require(Certificate(der: try Vectors.chain("\(Self.folder)/\(name).pem")[0]))
            let result = Result { () throws(Refusal) in try KeyDescription(of: leaf) }
            if let refusal { #expect(result == .failure(refusal)) } else { #expect(try result.get().version > 0) }
        }
    }

    /// A digest of SHA-384 with a key on P-256, as some authorities of phones sign.
    @Test func `digests may be longer than keys`() throws {
        let name = "\(Self.folder)/p256_sha384_intermediate.pem"
        let text = String(decoding: try Vectors.bytes(name), as: UTF8.self)
        let root = try #require(text.range(of: "-----BEGIN", options: .backwards))
        let roots = try TrustedRoots(pem: Array(text[root.lowerBound...].utf8))
        #expect(try CertificatePath(try Vectors.chain(name), to: roots, most: 4).certificates.count == 2)
    }

    /// A key that a phone fetched in 2025 does not count in 2030, one that a factory put into a phone does.
    @Test func `expiry counts for fetched keys only`() throws {
        let roots = try Self.roots()
        let path = try Vectors.chain("\(Self.folder)/caiman/sdk36/TEE_EC_RKP.pem")
        let verifier = KeyAttestationVerifier(roots: roots, apps: [], requirement: .optional, statusList: nil)
        let later = Timestamp(seconds: 1_893_456_000)
        #expect(verifier.verify(path, challenge: [], thumbprint: "", at: later) == .refused(.expired))
        let factory = try Vectors.chain("\(Self.folder)/blueline/sdk28/TEE_EC_NONE.pem")
        #expect(verifier.verify(factory, challenge: [], thumbprint: "", at: later) == .refused(.wrongChallenge))
    }

    @Test func `each chain can be revoked`() throws {
        let roots = try Self.roots()
        let chain = try Vectors.chain("\(Self.folder)/tegu/sdk36/TEE_EC_2026_ROOT.pem")
        let created = try Vectors.json("\(Self.folder)/tegu/sdk36/TEE_EC_2026_ROOT.json")["softwareEnforced"]
        let time = Timestamp(milliseconds: Int64(created?["creationDateTime"]?.string ?? "") ?? 0)
        for der in chain.dropLast() {
            let serialNumber = try #require(Certificate(der: der)).serialNumber
            let text = #"{"entries": {"\#(serialNumber)": {"status": "REVOKED"}}}"#
            let list = try StatusList(parsing: Array(text.utf8), writtenAt: time)
            let verifier = KeyAttestationVerifier(roots: roots, apps: [], requirement: .required, statusList: list)
            #expect(verifier.verify(chain, challenge: [], thumbprint: "", at: time) == .refused(.revoked))
        }
    }
}

extension JSON {
    fileprivate var text: String { String(decoding: self.encoded(), as: UTF8.self) }
}
