import Attestation
import AttestedPhones
import Base
import Cryptography
import TestSupport
import Testing

/// App Attest: what is accepted, and every rule broken once. Each refusal has its own reason.
@Suite struct AppAttestTests {
    typealias Row = Refused<AppAttestStage>

    @Test func `an attestation that a phone makes is accepted`() throws {
        let verdict = try AppAttestStage().verdict()
        #expect(verdict == .accepted(.app(.production)))
        #expect(verdict.evidence?.provesHardwareKey == false)
    }

    static let accepted: [Accepted<AppAttestStage>] = [
        Accepted("the development environment", .app(.development)) {
            $0.environments = [.production, .development]
            $0.data.aaguid = Array("appattestdevelop".utf8)
        },
        Accepted("the root is sent too", .app(.production)) {
            let root = try $0.root.der()
            $0.chain = { $0 + [root] }
        },
        Accepted("another app is configured too", .app(.production)) { $0.apps.insert("1234567890.com.example.b") },
        Accepted("another root is configured too", .app(.production)) {
            var other = $0.root
            other.subject = [("CN", "Another Root")]
            other.issuer = other.subject
            $0.otherRoots = [other]
        },
        Accepted("the root has expired", .app(.production)) { $0.roots.end = Moment.now - 1 },
        Accepted("extensions without their flag, as since iOS 27", .app(.production)) {
            $0.data.extensions = .map([CBOR.Pair(.text("apple_bundle_version_01"), .text("1"))])
        },
        Accepted("extensions with their flag", .app(.production)) {
            $0.data.flags = 0xC0
            $0.data.extensions = .map([])
        },
        Accepted("more members of the object", .app(.production)) {
            $0.object = { .map(($0.map ?? []) + [CBOR.Pair(.text("more"), .null)]) }
        },
        Accepted("the first second of the certificate", .app(.production)) { $0.leaf.start = Moment.now },
        Accepted("the last second of the certificate", .app(.production)) { $0.leaf.end = Moment.now + 1 },
    ]

    @Test(arguments: accepted) func `each allowed variation is accepted`(_ row: Accepted<AppAttestStage>) throws {
        var stage = try AppAttestStage()
        try row.change(&stage)
        #expect(try stage.verdict() == .accepted(row.outcome))
    }

    static let statements: [Row] = [
        Row("no bytes", .malformedStatement) { $0.bytes = { _ in [] } },
        Row("too many bytes", .tooLarge) { $0.bytes = { $0 + [UInt8](repeating: 0, count: 64 * 1024) } },
        Row("a byte is missing", .malformedStatement) { $0.bytes = { $0.dropLast() } },
        Row("a byte too many", .malformedStatement) { $0.bytes = { $0 + [0] } },
        Row("an array instead of a map", .malformedStatement) { $0.object = { .array($0.map?.map(\.value) ?? []) } },
        Row("the format of a passkey", .wrongFormat) { $0.format = "apple" },
        Row("no format", .malformedStatement) { $0.object = { .map(Array(($0.map ?? []).dropFirst())) } },
        Row("no authenticator data", .malformedStatement) { $0.object = { .map(Array(($0.map ?? []).dropLast())) } },
        Row("no receipt", .malformedStatement) { $0.object = Self.statement { Array($0.dropLast()) } },
        Row("no certificates", .malformedStatement) { $0.object = Self.statement { Array($0.dropFirst()) } },
        Row("certificates that are text", .malformedStatement) {
            $0.object = Self.statement { [CBOR.Pair($0[0].key, .array([.text("MII")])), $0[1]] }
        },
        Row("a member twice", .malformedStatement) { $0.object = { .map(($0.map ?? []) + ($0.map ?? []).prefix(1)) } },
        Row("a thumbprint in hexadecimal", .malformedThumbprint) {
            $0.expectedThumbprint = String(repeating: "ab", count: 32)
        },
        Row("a thumbprint of SHA-1", .malformedThumbprint) {
            $0.expectedThumbprint = Base64URL.encode([UInt8](repeating: 9, count: 20))
        },
    ]

    private static func statement(
        _ change: @escaping @Sendable ([CBOR.Pair]) -> [CBOR.Pair]
    ) -> @Sendable (CBOR) -> CBOR {
        { object in
            .map(
                (object.map ?? []).map { pair in
                    pair.value.map.map { CBOR.Pair(pair.key, .map(change($0))) } ?? pair
                })
        }
    }

    static let certificates: [Row] = [
        Row("an empty chain", .wrongChainLength) { $0.chain = { _ in [] } },
        Row("only the leaf, from the root", .wrongChainLength) {
            $0.leaf.issuer = $0.root.subject
            $0.leaf.signer = $0.root.key
            $0.chain = { [$0[0]] }
        },
        Row("only the leaf", .untrustedRoot) { $0.chain = { [$0[0]] } },
        Row("four certificates", .wrongChainLength) { $0.chain = { $0 + $0 } },
        Row("the wrong order", .brokenChain) { $0.chain = { $0.reversed() } },
        Row("the leaf twice", .brokenChain) { $0.chain = { [$0[0]] + $0 } },
        Row("no certificate", .malformedCertificate) { $0.chain = { [[0x30, 0x03, 1, 2, 3], $0[1]] } },
        Row("a byte after a certificate", .malformedCertificate) { $0.chain = { [$0[0] + [0], $0[1]] } },
        Row("a huge certificate", .tooLarge) { $0.chain = { [[UInt8](repeating: 0x30, count: 20_000), $0[1]] } },
        Row("somebody else's root", .untrustedRoot) {
            $0.roots.subject = [("CN", "Somebody's Root")]
            $0.roots.issuer = $0.roots.subject
        },
        Row("a root of the same name", .wrongSignature) {
            $0.roots.key = try TestKey(.p384)
            $0.roots.signer = $0.roots.key
        },
        Row("somebody else signed the leaf", .wrongSignature) { $0.leaf.signer = try TestKey(.p384) },
        Row("somebody else signed the authority", .wrongSignature) { $0.authority.signer = try TestKey(.p384) },
        Row("the authority is none", .issuerNotAuthority) { $0.authority.extensions = [] },
        Row("an authority's usage without certificates", .issuerNotAuthority) {
            // keyUsage with digitalSignature only.
            $0.authority.extensions.append(
                CertificatePlan.Extension(identifier: "2.5.29.15", isCritical: true, content: [3, 2, 7, 0x80]))
        },
        Row("the root allows no authority", .issuerNotAuthority) {
            $0.roots.extensions = [.lastAuthority]
        },
        Row("the leaf has expired", .expired) { $0.leaf.end = Moment.now - 1 },
        Row("the authority has expired", .expired) { $0.authority.end = Moment.now - 1 },
        Row("the leaf is from tomorrow", .notYetValid) { $0.leaf.start = Moment.now + 1 },
        Row("the authority is from tomorrow", .notYetValid) { $0.authority.start = Moment.now + 1 },
        Row("a digest of SHA-1", .weakCertificate) { $0.leaf.digest = .sha1 },
        Row("an authority with a small RSA key", .weakCertificate) {
            $0.authority.key = try TestKey(.rsa(bits: 1024))
            $0.leaf.signer = $0.authority.key
        },
        Row("a critical extension", .unknownCriticalExtension) {
            $0.leaf.extensions.append(
                CertificatePlan.Extension(identifier: "1.2.3.4", isCritical: true, content: DER.null))
        },
        Row("a shorter way to a root", .invalidChain) {
            // The authority's key also belongs to a configured root.
            var other = $0.authority
            other.issuer = other.subject
            other.signer = other.key
            $0.otherRoots = [other]
        },
        Row("a key on P-384", .unsupportedKey) { $0.leaf.key = try TestKey(.p384) },
        Row("a key for Ed25519", .unsupportedKey) { $0.leaf.key = try TestKey(.ed25519) },
    ]

    static let contents: [Row] = [
        Row("no nonce", .nonceMissing) { $0.nonce = { _ in nil } },
        Row("two nonces", .malformedCertificate) {
            $0.leaf.extensions.append(
                CertificatePlan.Extension(identifier: AppAttestStage.nonceIdentifier, content: DER.null))
        },
        Row("a nonce without its sequence", .malformedNonce) { $0.nonce = { DER.octets($0) } },
        Row("a nonce with another tag", .malformedNonce) { $0.nonce = { DER.sequence(DER.tagged(2, DER.octets($0))) } },
        Row("a nonce with 31 bytes", .malformedNonce) {
            $0.nonce = { DER.sequence(DER.tagged(1, DER.octets($0.dropLast()))) }
        },
        Row("two nonces in one extension", .malformedNonce) {
            $0.nonce = { DER.sequence(DER.tagged(1, DER.octets($0)), DER.tagged(1, DER.octets($0))) }
        },
        Row("bytes after the nonce", .malformedNonce) {
            $0.nonce = { DER.sequence(DER.tagged(1, DER.octets($0))) + [0] }
        },
        Row("another nonce", .wrongNonce) {
            $0.nonce = { DER.sequence(DER.tagged(1, DER.octets($0.reversed()))) }
        },
        Row("another login", .wrongNonce) { $0.challenge[0] = 0 },
        Row("another DPoP key", .wrongNonce) {
            $0.thumbprint = Base64URL.encode([UInt8](repeating: 8, count: 32))
        },
        Row("authenticator data of another attestation", .wrongNonce) {
            let other = try AppAttestStage().data.bytes()
            $0.object = { object in
                .map((object.map ?? []).map { $0.key == .text("authData") ? CBOR.Pair($0.key, .bytes(other)) : $0 })
            }
        },
        Row("no authenticator data at all", .malformedAuthenticatorData) { $0.data.change = { _ in [] } },
        Row("authenticator data without a credential", .malformedAuthenticatorData) { $0.data.flags = 0 },
        Row("a byte of the authenticator data is missing", .malformedAuthenticatorData) {
            $0.data.change = { $0.dropLast() }
        },
        Row("a byte after the authenticator data", .malformedAuthenticatorData) { $0.data.change = { $0 + [0] } },
        Row("extensions that are announced and missing", .malformedAuthenticatorData) { $0.data.flags = 0xC0 },
        Row("extensions twice", .malformedAuthenticatorData) {
            $0.data.extensions = .map([])
            $0.data.change = { $0 + [0xA0] }
        },
        Row("a credential id that is too long", .malformedAuthenticatorData) {
            $0.data.change = { $0.prefix(53) + [0xFF, 0xFF] + $0.dropFirst(55) }
        },
        Row("a credential of another algorithm", .malformedAuthenticatorData) { $0.data.algorithm = -35 },
        Row("a credential of another curve", .malformedAuthenticatorData) { $0.data.curve = 2 },
        Row("a credential of another type", .malformedAuthenticatorData) { $0.data.keyType = 1 },
        Row("another team's app", .wrongApp) { $0.data.app = "0987654321.com.example.app" },
        Row("another app of the team", .wrongApp) { $0.data.app = "1234567890.com.example.other" },
        Row("no app is configured", .wrongApp) { $0.apps = [] },
        Row("a key that was used", .counterNotZero) { $0.data.counter = 1 },
        Row("an unknown aaguid", .unknownEnvironment) { $0.data.aaguid[15] = 1 },
        Row("development in production", .wrongEnvironment) { $0.data.aaguid = Array("appattestdevelop".utf8) },
        Row("production in development", .wrongEnvironment) { $0.environments = [.development] },
        Row("another credential id", .wrongCredentialID) { $0.data.credentialID[0] ^= 1 },
        Row("an empty credential id", .wrongCredentialID) { $0.data.credentialID = [] },
        Row("another key in the credential", .wrongCredentialKey) { $0.data.point = try TestKey().point },
        Row("another key id", .wrongKeyID) { $0.keyID = Digest.sha256.hash([1]) },
        Row("an empty key id", .wrongKeyID) { $0.keyID = [] },
    ]

    static let all = statements + certificates + contents

    @Test(arguments: all) func `each broken rule is refused with its reason`(_ row: Row) throws {
        var stage = try AppAttestStage()
        try row.change(&stage)
        #expect(try stage.verdict() == .refused(row.outcome))
    }

    /// The receipt is the only part that does not count.
    @Test func `every changed byte is refused`() throws {
        let stage = try AppAttestStage()
        let (verifier, object) = (try stage.verifier(), try stage.attestation())
        let keyID = Digest.sha256.hash(stage.leaf.key.point)
        let receipt = try #require(object.firstRange(of: Array("receipt".utf8) + [0x43])).upperBound
        var accepted: Set<Int> = []
        for index in stride(from: 0, to: object.count, by: TestTier.hasAllRows ? 1 : 4) {
            var changed = object
            changed[index] ^= 1 << UInt8(index % 8)
            let verdict = verifier.verify(
                changed, keyID: keyID, challenge: stage.challenge, thumbprint: stage.thumbprint,
                at: Timestamp(seconds: stage.time))
            if verdict.refusal == nil { accepted.insert(index) }
        }
        #expect(accepted.isSubset(of: receipt..<receipt + 3))
    }

    @Test func `the client data hash covers the challenge and the thumbprint`() {
        let hash = AppAttestVerifier.clientDataHash(
            challenge: Array(0..<32), thumbprint: Base64URL.encode(Array(32..<64) as [UInt8]))
        #expect(hash == Digest.sha256.hash(Array(0..<64)))
    }
}
