import Cryptography
import AttestedPhones
import Attestation
import Base
import Foundation
import Testing

/// What real phones attested, changed in one way each: every change is refused, and the refusal says why.
@Suite(.enabled(if: Vectors.isHere, "SWITCHBACK_ATTESTATION_VECTORS is not set")) struct VectorMutationTests {
    /// Apple's example, and what a server expects of it.
    struct Apple: Sendable {
        var object: [UInt8]
        var keyID: [UInt8]
        var clientDataHash = Array("example_server_challenge".utf8)
        var app = "1234567890.com.example.myapp"
        var environment = AppAttestEnvironment.production
        var roots = TrustedRoots.applePEM
        var time = 1_776_800_000

        init() throws {
            let text = String(decoding: try Vectors.bytes("apple-guide.txt"), as: UTF8.self)
            self.object = try Vectors.decoded(text.filter { !$0.isWhitespace })
            self.keyID = try Vectors.decoded("zgSY9YSD+7TaDXssY6WlOPVS1K3Lmk+pFhlcSWE+ZV0=")
        }

        func verdict() throws -> Verdict {
            AppAttestVerifier(
                roots: try TrustedRoots(pem: self.roots), apps: [self.app], environments: [self.environment]
            ).verify(
                self.object, keyID: self.keyID, clientDataHash: self.clientDataHash, at: Timestamp(seconds: self.time))
        }

        /// Changes a member of the object, or of its statement. Nil removes it.
        mutating func change(_ name: String, _ change: (CBOR) -> CBOR?) throws {
            func changed(_ map: CBOR) -> CBOR {
                .map(
                    (map.map ?? []).compactMap { pair in
                        if pair.key == .text(name) { return change(pair.value).map { CBOR.Pair(pair.key, $0) } }
                        return pair.key == .text("attStmt") ? CBOR.Pair(pair.key, changed(pair.value)) : pair
                    })
            }
            self.object = changed(try CBOR(parsing: self.object)).encoded()
        }

        mutating func changeChain(_ change: ([[UInt8]]) -> [[UInt8]]) throws {
            try self.change("x5c") { .array(change(($0.array ?? []).compactMap(\.bytes)).map(CBOR.bytes)) }
        }

        mutating func changeData(_ change: ([UInt8]) -> [UInt8]) throws {
            try self.change("authData") { .bytes(change($0.bytes ?? [])) }
        }
    }

    static let apple: [Refused<Apple>] = [
        Refused("another challenge", .wrongNonce) { $0.clientDataHash[0] ^= 1 },
        Refused("no challenge", .wrongNonce) { $0.clientDataHash = [] },
        Refused("another app of the team", .wrongApp) { $0.app = "1234567890.com.example.other" },
        Refused("another team's app", .wrongApp) { $0.app = "0987654321.com.example.myapp" },
        Refused("another environment", .wrongEnvironment) { $0.environment = .development },
        Refused("a month earlier", .notYetValid) { $0.time -= 30 * 86_400 },
        Refused("a week later", .expired) { $0.time += 7 * 86_400 },
        Refused("Google's roots", .untrustedRoot) { $0.roots = TrustedRoots.googlePEM },
        Refused("another key id", .wrongKeyID) { $0.keyID[31] ^= 1 },
        Refused("no key id", .wrongKeyID) { $0.keyID = [] },
        Refused("no bytes", .malformedStatement) { $0.object = [] },
        Refused("a byte is missing", .malformedStatement) { $0.object.removeLast() },
        Refused("a byte too many", .malformedStatement) { $0.object.append(0) },
        Refused("too many bytes", .tooLarge) { $0.object += [UInt8](repeating: 0, count: 1 << 16) },
        Refused("another format", .wrongFormat) { try $0.change("fmt") { _ in .text("packed") } },
        Refused("no format", .malformedStatement) { try $0.change("fmt") { _ in nil } },
        Refused("no authenticator data", .malformedStatement) { try $0.change("authData") { _ in nil } },
        Refused("no receipt", .malformedStatement) { try $0.change("receipt") { _ in nil } },
        Refused("no chain", .wrongChainLength) { try $0.changeChain { _ in [] } },
        Refused("only the leaf", .untrustedRoot) { try $0.changeChain { [$0[0]] } },
        Refused("the wrong order", .brokenChain) { try $0.changeChain { $0.reversed() } },
        Refused("the leaf twice", .brokenChain) { try $0.changeChain { [$0[0]] + $0 } },
        Refused("half a leaf", .malformedCertificate) {
            try $0.changeChain { [Array($0[0].prefix($0[0].count / 2)), $0[1]] }
        },
        Refused("another signature of the leaf", .wrongSignature) {
            try $0.changeChain { [Self.flipped($0[0]), $0[1]] }
        },
        Refused("another signature of the authority", .wrongSignature) {
            try $0.changeChain { [$0[0], Self.flipped($0[1])] }
        },
        Refused("another app in the data", .wrongNonce) { try $0.changeData { Self.flipped($0, at: 0) } },
        Refused("another counter in the data", .wrongNonce) { try $0.changeData { Self.flipped($0, at: 36) } },
        Refused("another key in the data", .wrongNonce) { try $0.changeData { Self.flipped($0) } },
        Refused("no data", .wrongNonce) { try $0.changeData { _ in [] } },
    ]

    @Test func `Apple's attestation is accepted unchanged`() throws {
        #expect(try Apple().verdict() == .accepted(.app(.production)))
    }

    @Test(arguments: apple) func `Apple's attestation is refused after each change`(_ row: Refused<Apple>) throws {
        var vector = try Apple()
        try row.change(&vector)
        #expect(try vector.verdict() == .refused(row.outcome))
    }

    // MARK: - Google

    /// A phone of 2026 whose key leads to the new root, and what a server expects of it.
    struct Google: Sendable {
        var chain: [[UInt8]]
        var challenge: [UInt8]
        var thumbprint: String
        var package: String
        var signers: Set<[UInt8]>
        var roots = TrustedRoots.googlePEM
        var list: String? = #"{"entries": {"bad0": {"status": "REVOKED"}}}"#
        var listAge = 3600
        var time: Timestamp

        init(_ name: String = "tegu/sdk36/TEE_EC_2026_ROOT") throws {
            let folder = "keyattestation/testdata"
            let software = try Vectors.json("\(folder)/\(name).json")
            self.chain = try Vectors.chain("\(folder)/\(name).pem")
            self.challenge = try Vectors.decoded(software["attestationChallenge"]?.string)
            let point = try #require(Certificate(der: self.chain[0])).p256Point
            self.thumbprint = try KeyAttestationStage.thumbprint(of: point ?? [])
            let application = software["softwareEnforced"]?["attestationApplicationId"]
            self.package = application?["packages"]?.array?.first?["name"]?.string ?? ""
            self.signers = Set(try (application?["signatures"]?.array ?? []).map { try Vectors.decoded($0.string) })
            let created = software["softwareEnforced"]?["creationDateTime"]?.string
            self.time = Timestamp(milliseconds: created.flatMap { Int64($0) } ?? 0)
        }

        func verdict() throws -> Verdict {
            let list = try self.list.map {
                try StatusList(parsing: Array($0.utf8), writtenAt: self.time - .seconds(self.listAge))
            }
            return KeyAttestationVerifier(
                roots: try TrustedRoots(pem: self.roots),
                apps: [TrustedAndroidApp(package: self.package, signers: self.signers)], requirement: .required,
                statusList: list
            ).verify(self.chain, challenge: self.challenge, thumbprint: self.thumbprint, at: self.time)
        }

        mutating func list(_ index: Int, as status: String) throws {
            let number = try #require(Certificate(der: self.chain[index])).serialNumber
            self.list = #"{"entries": {"\#(number)": {"status": "\#(status)"}}}"#
        }
    }

    static let google: [Refused<Google>] = [
        Refused("another challenge", .wrongChallenge) { $0.challenge[0] ^= 1 },
        Refused("no challenge", .wrongChallenge) { $0.challenge = [] },
        Refused("another DPoP key", .wrongKey) { $0.thumbprint = Base64URL.encode([UInt8](repeating: 1, count: 32)) },
        Refused("no thumbprint", .wrongKey) { $0.thumbprint = "" },
        Refused("another app", .wrongPackage) { $0.package = "com.example.other" },
        Refused("another signer", .wrongSigner) { $0.signers = [[UInt8](repeating: 1, count: 32)] },
        Refused("no signer", .wrongSigner) { $0.signers = [] },
        Refused("Apple's root", .untrustedRoot) { $0.roots = TrustedRoots.applePEM },
        Refused("a revoked leaf", .revoked) { try $0.list(0, as: "REVOKED") },
        Refused("a revoked attestation key", .revoked) { try $0.list(1, as: "REVOKED") },
        Refused("a revoked authority", .revoked) { try $0.list(2, as: "REVOKED") },
        Refused("a suspended attestation key", .suspended) { try $0.list(1, as: "SUSPENDED") },
        Refused("no status list", .statusListMissing) { $0.list = nil },
        Refused("a status list of last week", .statusListTooOld) { $0.listAge = 8 * 86_400 },
        Refused("ten years later", .expired) { $0.time = $0.time + .seconds(3650 * 86_400) },
        Refused("ten years earlier", .notYetValid) { $0.time = $0.time - .seconds(3650 * 86_400) },
        Refused("no certificates", .wrongChainLength) { $0.chain = [] },
        Refused("only the leaf", .untrustedRoot) { $0.chain = [$0.chain[0]] },
        Refused("a certificate is missing", .brokenChain) { $0.chain.remove(at: 1) },
        Refused("the wrong order", .brokenChain) { $0.chain.reverse() },
        Refused("too many certificates", .wrongChainLength) { $0.chain += $0.chain },
        Refused("half a leaf", .malformedCertificate) { $0.chain[0] = Array($0.chain[0].prefix(200)) },
        Refused("a byte after the leaf", .malformedCertificate) { $0.chain[0].append(0) },
        Refused("a huge leaf", .tooLarge) { $0.chain[0] += [UInt8](repeating: 0, count: 1 << 15) },
        Refused("another signature of the leaf", .wrongSignature) { $0.chain[0] = Self.flipped($0.chain[0]) },
        Refused("another signature of the attestation key", .wrongSignature) {
            $0.chain[1] = Self.flipped($0.chain[1])
        },
        Refused("another signature of the authority", .wrongSignature) { $0.chain[2] = Self.flipped($0.chain[2]) },
        Refused("another challenge in the leaf", .wrongSignature) { vector in
            let place = try #require(vector.chain[0].firstRange(of: vector.challenge))
            vector.chain[0] = Self.flipped(vector.chain[0], at: place.lowerBound)
            vector.challenge[0] ^= 1
        },
        Refused("the leaf of another phone", .brokenChain) {
            $0.chain[0] = try Google("caiman/sdk36/TEE_EC_RKP").chain[0]
        },
        Refused("a phone whose bootloader is unlocked", .deviceUnlocked) {
            $0 = try Google("akita/sdk34/TEE_EC_NONE")
        },
    ]

    @Test func `Google's attestation is accepted unchanged`() throws {
        #expect(try Google().verdict() == .accepted(.key(.trustedEnvironment, warning: nil)))
    }

    @Test(arguments: google) func `Google's attestation is refused after each change`(_ row: Refused<Google>) throws {
        var vector = try Google()
        try row.change(&vector)
        #expect(try vector.verdict() == .refused(row.outcome))
    }

    @Test func `there are at least 25 changes of each`() { #expect(Self.apple.count >= 25 && Self.google.count >= 25) }

    /// The last byte of a certificate belongs to its signature.
    private static func flipped(_ bytes: [UInt8], at index: Int? = nil) -> [UInt8] {
        var bytes = bytes
        bytes[index ?? bytes.count - 1] ^= 1
        return bytes
    }
}
